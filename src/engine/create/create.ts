/** Making a deployment, whatever its mode: take the name, make the group at size 0, put everything into the store, then scale to N machines. */

import type { AgentBundle, Found, MachineSpec, Program } from '../../core/cloud.ts'
import { describeError } from '../../core/errors.ts'
import { newIncarnation, newNonce } from '../../core/identity.ts'
import { messageOf } from '../../lib/text.ts'
import { lifetimeOf } from '../../wire/lifetime.ts'
import { VERSION } from '../../wire/parse.ts'
import { CONTROL, type CurrentRecord, type Origin } from '../../wire/records.ts'
import { newSlot, type SlotRecord } from '../../wire/slot.ts'
import { type CommonSpec, type Spec } from '../../wire/spec.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { swap } from '../change-record.ts'
import { type CurrentRead, type Deployment, deploymentOf, type Engine, type Place, readControl } from '../deployment.ts'
import { again } from '../destroy/compute.ts'
import { clearOthers, destroy, handBack, REMAINS } from '../destroy/destroy.ts'
import { recallRun } from '../history.ts'
import { patiently, patientStore } from '../outage.ts'
import { markOpen, take } from '../owner/current.ts'
import { type Heartbeat, removedMeanwhile, startHeartbeat } from '../owner/maker-heartbeat.ts'
import { lookForOrphans, refuseElsewhere } from '../owner/orphans.ts'
import { lowerIfStopped } from '../raise-unless-stopped.ts'
import { apply } from './apply.ts'
import type { DeploymentRequest } from './group-spec.ts'
import { bringPrograms } from './programs.ts'
import { type StoreReady, setUpStore } from './store-setup.ts'

export interface DeploymentParts {
  readonly origin: Origin
  /** The store as the machines get it. */
  readonly storeAccess: StoreAccess
  readonly agent: AgentBundle
  /** What the cloud shows under this id, if the caller has asked already; it resolves to `undefined` if the cloud did not answer. */
  readonly shown?: Promise<readonly Found[] | undefined>
  readonly signal: AbortSignal
}

/** What a mode contributes, in the order in which it is called. `D`: the specification as far as it is known before anything is made (the draft). */
export interface ModePart<S extends Spec, D extends CommonSpec, T> {
  draft(d: Deployment, createdAt: string): D
  machines(draft: D): Omit<MachineSpec, 'store' | 'agent'>
  /** What must be known even once the deployment's records have removed themselves (`MachineSpec.tombstone`). */
  tombstone?(draft: D): string
  /** Once the store exists: the record that may be overwritten, in the version on which that was decided. `undefined`: there must be none. */
  former(d: Deployment): Promise<CurrentRead | undefined>
  /** What only this mode has in the deployment's record. */
  readonly facts?: Pick<CurrentRecord, 'registry' | 'relaunch' | 'moved'>
  /** Once the deployment has its name, and before anything is made: throws if the run that it replaces is needed after all. */
  agree?(d: Deployment): Promise<void>
  /** Makes what only this mode needs, at the same time as the group, the switch and the agent are made. */
  supply(d: Deployment, draft: D, signal: AbortSignal): Promise<T>
  /** Once all of that exists: the specification. Also stores what else the machines find. `first`: what slots have from the beginning. */
  complete(d: Deployment, draft: D, made: T): Promise<{ readonly spec: S; readonly first?: (index: number) => Partial<SlotRecord> }>
  /** The last step before machines start: stores what must not stay there for long if this process dies. */
  entrust?(d: Deployment, spec: S): Promise<void>
  /** After a failure, before anything else is removed. */
  revoke?(d: Deployment): Promise<void>
  /** After a failure, once everything is removed. */
  restore?(d: Deployment): Promise<void>
}

/** When a run is created: in a second in which no run of its name is known to have begun, because a run id has whole seconds. ISO. */
async function creationTime({ clock, home }: Engine, id: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const now = clock.date()
    const createdAt = now.toISOString()
    if (!(await recallRun(home, { id, createdAt }))) return createdAt
    await clock.sleep(1000 - now.getMilliseconds(), signal)
  }
}

/**
 * Makes a deployment, and requests its machines. `undefined`: another controller was faster, and has the name now. If anything fails, or the signal
 * aborts, everything is given back before this rejects.
 */
export async function createDeployment<S extends Spec, D extends CommonSpec, T>(
  engine: Engine,
  place: Place,
  parts: DeploymentParts,
  making: ModePart<S, D, T>,
): Promise<{ d: Deployment; spec: S } | undefined> {
  const d = deploymentOf({ ...place, incarnation: newIncarnation(), promise: undefined, region: place.cloud.region })
  // For creating. Giving back uses `d`: it waits in its own way, and an interrupt does not end it.
  const steady = { ...d, store: patientStore(engine, d.store, parts.signal) }
  const draft = making.draft(d, await creationTime(engine, d.id, parts.signal))
  const machines = specOf(making, draft, parts)
  await refuseElsewhere(engine, place, await parts.shown, parts.signal)
  const ready = await setUpStore(engine, d, machines, parts.signal)
  const facts = { ...making.facts, createdAt: draft.createdAt, origin: parts.origin, ttl: draft.lease.ttl }
  const mine = await takeName(engine, steady, facts, making, ready)
  if (!mine) return undefined
  // It also beats after an interrupt: this process counts as alive while it gives back what it has made.
  const heartbeat = startHeartbeat(engine, d, 'making', draft.lease)
  const clear = async (): Promise<void> =>
    ready.fresh ? undefined : clearOthers(engine, steady, draft.lease.ttl, lookForOrphans(engine, steady, parts.signal))
  // In parallel with everything else, so that a start does not wait for what other commands have left. If runners are started again, only at the
  // end: the tags of what was left confirm what they are made from.
  const cleared = facts.relaunch ? undefined : clear()
  const hold = async (): Promise<void> => heartbeat.hold(parts.signal)
  let agreed = false
  try {
    await making.agree?.(steady)
    agreed = true
    const spec = await provision(engine, steady, draft, parts, making, {
      group: async () => ready.group(async () => apply(engine, await d.cloud.blueprint(machines), parts.signal, hold)),
      programs: async () => (await patiently(engine, async () => d.cloud.programs?.(machines), parts.signal)) ?? [],
    })
    parts.signal.throwIfAborted()
    // After a request to stop, nothing is started: followers close the slots as stopped.
    if (!(await readControl(steady))?.stop) {
      await making.entrust?.(steady, spec)
      // Machines are requested before the record says that the deployment is complete: if this process dies in between, others undo the start. The
      // other way round, there would be a run that nobody starts.
      await hold()
      await ready.unlessBegun(async () => patiently(engine, async () => hold().then(async () => d.cloud.start(machines)), parts.signal))
    }
    await Promise.all([open(steady, mine), ready.unlessBegun(async () => lowerIfStopped(engine, steady))])
    await (cleared ?? clear())
    return { d, spec }
  } catch (error) {
    const reason = await heartbeat.reason(error)
    // Nothing is made yet, so the previous run gets its name back at once.
    if (!agreed) {
      await heartbeat.stop()
      const back = await handBack(engine, d).catch(trouble(engine, d))
      await cleared
      if (back) throw reason
    }
    engine.host.info(`${parts.signal.aborted ? 'stopped creating' : 'could not create'} ${d.name}: giving everything back`)
    await giveBack(engine, d, making, {
      heartbeat,
      settled: [ready.settled(), ...(cleared ? [cleared] : [])],
      leave: facts.relaunch !== undefined,
    })
    throw reason
  } finally {
    await heartbeat.stop()
  }
}

/** The deployment's record, once it has its name. `undefined`: another controller was faster. */
async function takeName(
  engine: Engine,
  d: Deployment,
  facts: Parameters<typeof take>[2],
  making: Pick<ModePart<Spec, CommonSpec, unknown>, 'former'>,
  ready: Pick<StoreReady, 'withdraw' | 'settled'>,
): Promise<CurrentRead | undefined> {
  const named = async (): Promise<CurrentRead | undefined> => take(engine, d, facts, await making.former(d))
  const mine = await named().catch(async (error: unknown) => {
    // Without a name nobody else finds what this process has made, so this process removes it.
    await ready.withdraw(error)
    throw error
  })
  if (!mine) await ready.settled()
  return mine
}

/** For `catch`: the failure of one step of giving back is reported, and the other steps follow. */
const trouble =
  (engine: Engine, d: Deployment) =>
  (problem: unknown): void =>
    engine.host.warn(`${d.name}: ${describeError(problem)}`)

interface Undoing {
  readonly heartbeat: Heartbeat
  /** Once all of these have settled, nothing more is being made. */
  readonly settled: readonly Promise<unknown>[]
  /** As in `Removing`: the record stays, for whoever starts these runners again. */
  readonly leave: boolean
}

async function giveBack(
  engine: Engine,
  d: Deployment,
  making: Pick<ModePart<Spec, CommonSpec, unknown>, 'revoke' | 'restore'>,
  { heartbeat, settled, leave }: Undoing,
): Promise<void> {
  await making.revoke?.(d).catch(trouble(engine, d))
  // Waiting may take minutes, so the heartbeat goes on. It ends before anything is cleared, because a beat must not write into that.
  await Promise.allSettled(settled)
  await heartbeat.stop()
  await destroy(engine, d, { why: 'rollback', leave }).then(
    (remains) => engine.host.info(`${d.name}: ${REMAINS[remains === 'mark' ? 'nothing' : remains]}`),
    (problem: unknown) => engine.host.warn(`${messageOf(problem)}; ${again(d, leave)}`),
  )
  await making.restore?.(d).catch(trouble(engine, d))
}

function specOf<S extends Spec, D extends CommonSpec, T>(making: ModePart<S, D, T>, draft: D, parts: DeploymentParts): MachineSpec {
  const tombstone = making.tombstone?.(draft)
  return {
    ...making.machines(draft),
    agent: parts.agent.digest,
    store: parts.storeAccess,
    ...(tombstone !== undefined && { tombstone }),
  }
}

/** Makes the group and its switch, and fills the store, all at the same time; then writes the specification. Resolves to that. */
async function provision<S extends Spec, D extends CommonSpec, T>(
  engine: Engine,
  d: Deployment,
  draft: D,
  { signal }: DeploymentParts,
  making: ModePart<S, D, T>,
  of: { readonly group: () => Promise<void>; readonly programs: () => Promise<readonly Program[]> },
): Promise<S> {
  await d.store.init(d.keys.root)
  const failed = new AbortController()
  const supplied = making.supply(d, draft, AbortSignal.any([signal, failed.signal]))
  const works = [supplied, of.group(), of.programs().then(async (programs) => bringPrograms(d, programs, signal))]
  for (const work of works) work.catch((error: unknown) => failed.abort(error))
  // All of them settle, even if one fails: no call may be in progress when what was made is removed.
  await Promise.allSettled(works)
  failed.signal.throwIfAborted()
  signal.throwIfAborted()
  const { spec, first } = await making.complete(d, draft, await supplied)
  await Promise.all([
    putControl(d),
    ...Array.from({ length: spec.count }, async (_, index) =>
      put(d, d.keys.slot(index).record, { ...newSlot(index, newNonce(), spec.createdAt), ...first?.(index) } satisfies SlotRecord),
    ),
  ])
  await put(d, d.keys.spec, spec)
  return spec
}

/** Unless there is one already: somebody may have requested a stop. */
async function putControl(d: Deployment): Promise<void> {
  await swap(CONTROL, d.store, d.keys.control, { v: VERSION, nonce: newNonce() }, undefined)
}

async function put(d: Deployment, key: string, value: unknown): Promise<void> {
  await d.store.write(key, Buffer.from(JSON.stringify(value)))
}

/** Records that the deployment is complete. */
async function open(d: Deployment, taken: CurrentRead): Promise<void> {
  if (!(await markOpen(d, taken))) throw removedMeanwhile(d)
}

/** What the specifications of all modes have in common. */
export function commonSpec<M extends CommonSpec['mode']>(
  mode: M,
  d: Pick<Deployment, 'id' | 'name' | 'incarnation'>,
  { request, origin, agent }: Pick<DeploymentParts, 'origin' | 'agent'> & { readonly request: DeploymentRequest },
  createdAt: string,
): Omit<CommonSpec, 'mode' | 'secretNames' | 'retry' | 'failFast' | 'gang' | 'fingerprint'> & { readonly mode: M } {
  return {
    v: VERSION,
    id: d.id,
    incarnation: d.incarnation,
    name: d.name,
    mode,
    createdAt,
    origin,
    count: request.count,
    lifetime: lifetimeOf(createdAt, request),
    lease: request.lease,
    ...(request.setup ? { setup: request.setup } : {}),
    env: request.env,
    agent: agent.digest,
  }
}
