/** The forge that a command means, opened with what the caller gave. */
import { describeError, InputError } from '../../core/errors.ts'
import type { Forge, ForgeContext, ForgeManifest, RunnerTarget } from '../../core/forge.ts'
import { type Deployment, readSpec } from '../../engine/deployment.ts'
import { readCurrent } from '../../engine/find.ts'
import { located } from '../../engine/locators.ts'
import { forgeById, forges } from '../../forges/registry.ts'
import { runnerName } from '../../runner/names.ts'
import { LISTED, type Registered, takeBack, takeBackIdle, type Unregistered } from '../../runner/unregister.ts'
import type { Registry } from '../../wire/records.ts'
import type { RunnerProgram, RunnerScope } from '../../wire/runner.ts'
import type { RunnerSpec } from '../../wire/spec.ts'
import type { VerbContext } from '../shared/context.ts'

interface Opening {
  /** Where an earlier deployment was registered. */
  readonly scope?: RunnerScope
  /** On the clock: how long a forge that is away is waited for. */
  readonly until?: number
  /** Where no option says it. */
  readonly url?: string
}

/** Before anything is printed: names and labels are the user's, and may hold what must not be printed. */
export function hideIdentity({ values, host }: Pick<VerbContext, 'values' | 'host'>): void {
  for (const secret of [values.token, values['app-key']]) if (secret !== undefined) host.mask(secret)
}

export async function openForge(context: VerbContext, manifest: ForgeManifest, opening: Opening = {}): Promise<Forge> {
  const { values } = context
  const { token, 'app-id': appId, 'app-key': appKey } = values
  if ((appId === undefined) !== (appKey === undefined))
    throw new InputError(`${appId === undefined ? 'app-id' : 'app-key'}: an App needs both its id and its private key`)
  const target = targetOf(context)
  return (await manifest.load()).open({
    ...forgeContext(context, token),
    ...(appId === undefined || appKey === undefined ? {} : { app: { id: appId, key: appKey } }),
    ...(target === undefined ? {} : { target }),
    ...opening,
    ...addressOf(context),
  })
}

/** What every call to a forge is made with. */
export function forgeContext(context: VerbContext, token: string | undefined): ForgeContext {
  const { host, engine, env, interrupts } = context
  hideIdentity(context)
  if (token !== undefined) host.mask(token)
  return {
    env,
    log: host,
    clock: engine.clock,
    signal: interrupts.first,
    mask: (secret) => host.mask(secret),
    ...(token === undefined ? {} : { token }),
    ...addressOf(context),
  }
}

/** As an option names it, which wins over what is on record. */
function addressOf({ values }: VerbContext): { readonly url?: string } {
  return values['forge-url'] === undefined ? {} : { url: values['forge-url'] }
}

function targetOf({ values }: VerbContext): RunnerTarget | undefined {
  const { repository, organization, enterprise } = values
  if (repository !== undefined) return { kind: 'repository', name: repository }
  if (organization !== undefined) return { kind: 'organization', name: organization }
  return enterprise === undefined ? undefined : { kind: 'enterprise', name: enterprise }
}

/** As named, else that of the CI job around us, else the one whose name is in an address that was given, else the first. */
export function chosenForge({ values, env }: VerbContext): ForgeManifest {
  const named = values.forge
  const ids = forges.map(({ id }) => id).join(', ')
  if (named !== undefined) {
    const found = forgeById(named)
    if (!found) throw new InputError(`forge: "${named}" is not one of ${ids}`)
    return found
  }
  const address = values['forge-url'] ?? values.repository ?? ''
  const chosen =
    forges.find((forge) => URL.canParse(address) && new URL(address).hostname.includes(forge.id)) ??
    forges.find((forge) => forge.detect(env)) ??
    forges[0]
  if (!chosen) throw new InputError(`forge: none was given; use one of ${ids}`)
  return chosen
}

/** The forge that a deployment was registered at. `url`: its address, where this side knows it. */
export async function forgeOf(context: VerbContext, { forge, scope }: Registry, url?: string): Promise<Forge> {
  const manifest = forgeById(forge)
  if (!manifest) throw new InputError(`forge: this version does not know "${forge}"`)
  return openForge(context, manifest, { scope, ...(url === undefined ? {} : { url }) })
}

/** As the command was told that started it from this home: no machine can write that, so a token may go there. */
async function addressHere({ engine }: VerbContext, { id }: Pick<Deployment, 'id'>): Promise<string | undefined> {
  const url = (await located(engine.home)).find((one) => one.id === id)?.options['forge-url']
  return typeof url === 'string' ? url : undefined
}

/** Registrations of a deployment whose creation was cut short: there is no specification yet that says so. */
export async function unregisterUnfinished(context: VerbContext, d: Deployment): Promise<void> {
  const { host } = context
  try {
    const registry = (await readCurrent(d.store, d.id))?.value.registry
    if (registry) await unregister(context, d, registry)
  } catch (error) {
    host.warn(`${d.name}: registrations may be left at the forge: ${describeError(error)}`)
  }
}

/** A registry, and how its machines register where they do it themselves. */
type Recorded = Registry & { readonly machine?: Pick<RunnerProgram, 'registration'> }

/** Removes every registration of a deployment at its forge. Without a token it says what stays, and for how long. */
export async function unregister(context: VerbContext, d: Deployment, registry: Recorded, address?: string): Promise<Unregistered> {
  const { host, values } = context
  const { token, 'app-id': app } = values
  if (token === undefined && app === undefined) {
    host.warn(`${d.name}: its registrations at ${registry.forge} were not removed, because no token was given${forgetting(registry)}`)
    return NONE
  }
  const forge = await forgeOf(context, registry, address ?? (await addressHere(context, d)))
  const { removed, busy } = await takeBack(forge, runnerName(d.id), registry.machine?.registration ? [] : await recent(context, d))
  if (removed > 0) host.info(`${d.name}: ${removed} ${removed === 1 ? 'registration' : 'registrations'} removed`)
  return { removed, busy }
}

/** The same where machines are what matters: what stays at the forge costs nothing, so a forge that is away is reported and stops nothing. */
export async function unregisterOrWarn(context: VerbContext, d: Deployment, registry: Recorded): Promise<void> {
  const { busy } = await unregister(context, d, registry).catch(warned(context, d))
  tellBusy(context, registry, busy)
}

/**
 * The same around `end`, which takes the machines away; absent: they are gone. A forge removes no runner that has a job: those that had one are
 * asked for again, for some seconds, when it has ended with its machine.
 */
export async function unregisterAround(
  context: VerbContext,
  d: Deployment,
  registry: Recorded,
  end?: () => Promise<unknown>,
): Promise<void> {
  const { host, engine, interrupts } = context
  // With the end of the deployment, what this home knows of it goes too.
  const address = await addressHere(context, d)
  const remove = async (): Promise<Unregistered> => unregister(context, d, registry, address).catch(warned(context, d))
  // Machines that register themselves may do so until the last of them is gone.
  const late = registry.machine?.registration !== undefined
  const before = late ? undefined : await remove()
  const ending = end?.()
  if (late) await ending?.catch(() => undefined)
  const { busy } = before ?? (await remove())
  await ending
  if (busy.length === 0) return
  const again = async (): Promise<Unregistered> =>
    takeBackIdle(engine.clock, await forgeOf(context, registry, address), busy, interrupts.first)
  const last = await again().catch(warned(context, d))
  if (last.removed > 0) host.info(`${d.name}: ${last.removed} more removed, whose jobs have ended with their machines`)
  tellBusy(context, registry, last.busy)
}

const NONE: Unregistered = { removed: 0, busy: [] }

function warned({ host }: VerbContext, d: Deployment): (error: unknown) => Unregistered {
  return (error) => {
    host.warn(`${d.name}: its registrations were not removed: ${describeError(error)}`)
    return NONE
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
async function recent({ engine }: VerbContext, d: Deployment): Promise<RunnerSpec['runner']['enrolled']> {
  // A deployment whose storage is away still has its registrations removed.
  const spec = await readSpec(d).catch(() => undefined)
  const young = spec !== undefined && engine.clock.date().getTime() - Date.parse(spec.createdAt) < LISTED
  return young && spec.mode === 'runner' ? spec.runner.enrolled : []
}
