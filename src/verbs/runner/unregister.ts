/** Removes registrations: all that a deployment has at its forge, whatever becomes of its machines. */
import { describeError } from '../../core/errors.ts'
import type { Forge } from '../../core/forge.ts'
import { type Deployment, readCurrent, readSpec } from '../../engine/deployment.ts'
import { forgeById } from '../../forges/registry.ts'
import { inTime } from '../../lib/clock.ts'
import { plural } from '../../lib/text.ts'
import { runnerName } from '../../runner/names.ts'
import {
  LISTED,
  type Registered,
  removeIdleRegistrations,
  removeRegistrations,
  type Unregistered,
} from '../../runner/remove-registrations.ts'
import type { Registry } from '../../wire/records.ts'
import type { EnrolledRunner, RunnerProgram } from '../../wire/runner.ts'
import { undisturbed, type VerbContext } from '../shared/context.ts'
import { hasLogin } from './forge.ts'
import { forgeOf } from './recorded-forge.ts'

/** A registry, how its machines register if they do so themselves, and what was registered for them. */
type Recorded = Registry & { readonly machine?: Pick<RunnerProgram, 'registration'>; readonly enrolled?: readonly EnrolledRunner[] }

/** Milliseconds that the forge has for removing registrations, before machines are removed at the same time; and more for each of them. */
const AHEAD = 60_000
const EACH = 1000
/** The same for runners that were never announced, so that no job is lost. A CI host kills this process about 10 s after it has cancelled its job. */
export const HURRIED = 3000

const NONE: Unregistered = { removed: 0, busy: [] }

/** Registrations of a deployment whose creation was interrupted: it has no specification yet that names them. */
export async function unregisterUnfinished(context: VerbContext, d: Deployment): Promise<void> {
  const { host } = context
  try {
    const registry = (await readCurrent(d.store, d.id))?.value.registry
    if (registry) await unregister(context, d, registry)
  } catch (error) {
    host.warn(`${d.name}: registrations may be left at the forge: ${describeError(error)}`)
  }
}

/** Removes every registration of a deployment at its forge; `incarnation`: only its own. Without a token, says what is left, and for how long. */
export async function unregister(context: VerbContext, d: Deployment, registry: Recorded, which?: 'incarnation'): Promise<Unregistered> {
  const forge = await forgeFor(context, d, registry)
  return forge ? removeAll(context, d, await recent(context, d, registry), forge, which) : NONE
}

/** The same if machines matter more: registrations cost nothing, so a forge that is out of reach is reported but stops nothing. */
export async function unregisterOrWarn(context: VerbContext, d: Deployment, registry: Recorded, which?: 'incarnation'): Promise<void> {
  const { busy } = await unregister(context, d, registry, which).catch(warned(context, d, NONE))
  tellBusy(context, registry, busy)
}

/**
 * The same around `end`, which removes the machines; absent: they are gone already. A forge does not remove a runner that has a job: those
 * that had one are tried again, for some seconds, once the job has ended with its machine.
 */
export async function unregisterAround(
  context: VerbContext,
  d: Deployment,
  registry: Recorded,
  end?: () => Promise<unknown>,
  ahead = AHEAD + EACH * (registry.enrolled?.length ?? 0),
): Promise<void> {
  const { host, engine, signals } = context
  // What this home knows about the deployment, and what confirms its record, is removed with it.
  const forge = await forgeFor(context, d, registry).catch(warned(context, d, undefined))
  const young = forge ? await recent(context, d, registry) : []
  const remove = async (): Promise<Unregistered> => (forge ? removeAll(context, d, young, forge).catch(warned(context, d, NONE)) : NONE)
  // Machines that register themselves may do so until the last one is gone.
  const late = registry.machine?.registration !== undefined
  const early = late ? undefined : remove()
  // First, because a runner that is still registered may get a job. But machines cost money: a forge that is out of reach does not keep them.
  if (early) await inTime(engine.clock, ahead, early)
  const removal = end?.()
  // Awaited below; if it fails before that, it must not be reported as unhandled.
  removal?.catch(() => undefined)
  if (late) await removal?.catch(() => undefined)
  const { busy } = await (early ?? remove())
  await removal
  if (!forge || busy.length === 0) return
  const last = await removeIdleRegistrations(engine.clock, forge, busy, signals.first).catch(warned(context, d, NONE))
  if (last.removed > 0) host.info(`${d.name}: ${last.removed} more removed, whose jobs have ended with their machines`)
  tellBusy(context, registry, last.busy)
}

/** `undefined`: no token was given; the user has been told. */
async function forgeFor(context: VerbContext, d: Deployment, registry: Recorded): Promise<Forge | undefined> {
  if (hasLogin(context)) return forgeOf(undisturbed(context), d, { forge: registry.forge, scope: registry.scope })
  context.host.warn(`${d.name}: its registrations at ${registry.forge} were not removed, because no token was given${forgetting(registry)}`)
  return undefined
}

async function removeAll(
  context: VerbContext,
  d: Deployment,
  young: readonly EnrolledRunner[],
  forge: Forge,
  which?: 'incarnation',
): Promise<Unregistered> {
  const { removed, busy } = await removeRegistrations(forge, runnerName(d.id, which && d.incarnation), young)
  if (removed > 0) context.host.info(`${d.name}: ${plural(removed, 'registration')} removed`)
  return { removed, busy }
}

function warned<T>({ host }: VerbContext, d: Deployment, otherwise: T): (error: unknown) => T {
  return (error) => {
    host.warn(`${d.name}: its registrations were not removed: ${describeError(error)}`)
    return otherwise
  }
}

function forgetting({ forge, machine }: Recorded): string {
  const says = machine?.registration?.stays ?? forgeById(forge)?.forgets
  return says === undefined ? '' : `; ${says}`
}

function tellBusy({ host }: VerbContext, registry: Recorded, busy: readonly Registered[]): void {
  const forgets = forgetting(registry)
  for (const { name } of busy) host.warn(`${name} has a job, as far as the forge knows, and stays registered${forgets}`)
}

/** Registrations that the forge may not list yet. */
async function recent({ engine }: VerbContext, d: Deployment, { machine }: Recorded): Promise<readonly EnrolledRunner[]> {
  if (machine?.registration) return []
  // Registrations are removed even if the deployment's storage is out of reach.
  const spec = await readSpec(d).catch(() => undefined)
  const young = spec !== undefined && engine.clock.date().getTime() - Date.parse(spec.createdAt) < LISTED
  return young && spec.mode === 'runner' ? spec.runner.enrolled : []
}
