/** Making a deployment of runners: name first, group at 0, registrations and program into the store, then N machines. */
import { createHmac } from 'node:crypto'
import type { AgentBundle, MachineSpec } from '../core/cloud.ts'
import { RemoteError } from '../core/errors.ts'
import type { Forge } from '../core/forge.ts'
import { newIncarnation, newNonce } from '../core/identity.ts'
import { keepAlive } from '../engine/alive.ts'
import { apply } from '../engine/apply.ts'
import { type Deployment, deploymentOf, type Engine } from '../engine/deployment.ts'
import { destroy } from '../engine/destroy.ts'
import { readCurrent } from '../engine/find.ts'
import { groupSpec } from '../engine/group-spec.ts'
import { furnishStore } from '../engine/own-store.ts'
import { changeRecord, swap } from '../engine/record.ts'
import { currentKey } from '../wire/layout.ts'
import type { ControlRecord, CurrentRecord, Origin, Relaunch } from '../wire/records.ts'
import { newSlot } from '../wire/slot.ts'
import type { CommonSpec, RunnerSpec } from '../wire/spec.ts'
import type { StoreAccess } from '../wire/store.ts'
import { type Archive, uploadArchive } from './archive.ts'
import { runnerName } from './names.ts'
import { comparable, type RunnerModeWish } from './wish.ts'

export interface CreateParts {
  readonly wish: RunnerModeWish
  readonly origin: Origin
  readonly storeAccess: StoreAccess
  readonly agent: AgentBundle
  readonly forge: Forge
  readonly forgeId: string
  /** All labels, the unique one first. */
  readonly labels: readonly string[]
  readonly archive: Promise<Archive>
  readonly signal: AbortSignal
  /** It takes the place of a former incarnation, which has made room. */
  readonly relaunch?: Relaunch
  /** The same forge for giving back what was made: no interrupt ends that. */
  afterwards(): Promise<Forge>
}

export type Place = Omit<Deployment, 'keys' | 'incarnation'>

/** `undefined`: another controller was faster; it is its deployment now. */
export async function create(engine: Engine, place: Place, parts: CreateParts): Promise<{ d: Deployment; spec: RunnerSpec } | undefined> {
  const d = deploymentOf({ ...place, incarnation: newIncarnation() })
  const createdAt = engine.clock.date().toISOString()
  const common = commonSpec(d, parts, createdAt)
  await furnishStore(engine, d, machineWish(common, parts.wish, parts.storeAccess), parts)
  const current: CurrentRecord = {
    v: 1,
    nonce: newNonce(),
    id: d.id,
    name: d.name,
    incarnation: d.incarnation,
    createdAt,
    origin: parts.origin,
    registry: { forge: parts.forgeId, scope: parts.forge.scope },
    creating: true,
    ...(parts.relaunch ? { relaunch: parts.relaunch } : {}),
  }
  const former = parts.relaunch && (await readCurrent(d.store, d.id))
  if (!(await swap(d.store, currentKey(d.id), current, former?.value.destroying ? former.version : undefined))) return undefined
  const alive = keepAlive(engine, d, 'creating', parts.wish.lease.beat)
  try {
    const spec = await furnish(engine, d, common, parts)
    parts.signal.throwIfAborted()
    // Complete only with its machines on the way: a controller that dies before leaves something to undo.
    await d.cloud.scale(d.id, spec.count)
    await open(d)
    return { d, spec }
  } catch (error) {
    engine.host.info(`could not create ${d.name}: giving everything back`)
    await unregister(engine, parts, runnerName(d.id, d.incarnation))
    // A beat must not write into what is being cleared.
    await alive.stop()
    await destroy(engine, d, parts.relaunch !== undefined).catch((problem: unknown) =>
      engine.host.warn(`${String(problem)}; run: tpi destroy ${d.id} --discard`),
    )
    throw error
  } finally {
    await alive.stop()
  }
}

/** Registrations, also those whose answer was lost, by the names that only this incarnation gave. */
async function unregister(engine: Engine, parts: CreateParts, prefix: string): Promise<void> {
  try {
    const forge = await parts.afterwards()
    for (const { id } of await forge.runners(prefix)) await forge.evict(id)
  } catch (error) {
    engine.host.warn(`registrations named ${prefix}* may be left: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Group and switch on one side, the forge and the store on the other. */
async function furnish(engine: Engine, d: Deployment, common: CommonSpec, parts: CreateParts): Promise<RunnerSpec> {
  const { wish, forge, labels, signal } = parts
  await d.store.init(d.keys.root)
  const supply = forge.supply(wish)
  const places = Array.from({ length: wish.count }, (_, slot) =>
    Array.from({ length: supply }, (_, k) => ({ slot, k, name: `${runnerName(d.id, d.incarnation)}-${slot}-${k}` })),
  ).flat()
  const machines = {
    ...machineWish(common, wish, parts.storeAccess),
    agent: parts.agent.digest,
    store: parts.storeAccess,
  } satisfies MachineSpec
  const settled = await Promise.allSettled([
    forge.enroll({
      places,
      labels,
      jobs: wish.jobs,
      idle: wish.idle,
      platform: wish.platform,
      env: wish.env,
      ...(wish.containers === undefined ? {} : { containers: wish.containers }),
      deadline: common.lifetime.deadline,
      ...(wish.group === undefined ? {} : { group: wish.group }),
    }),
    parts.archive.then(async (archive) => uploadArchive(d, archive)),
    apply(engine, d, machines),
    d.store.write(d.keys.agent(parts.agent.digest), parts.agent.bytes),
  ])
  // Nothing of it may still be under way when what was made is taken back.
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  const [enrolled, archive] = settled
  if (enrolled.status !== 'fulfilled' || archive.status !== 'fulfilled') throw new Error('unreachable')
  signal.throwIfAborted()
  const { credentials, program, enrolled: runners } = enrolled.value
  const spec: RunnerSpec = {
    ...common,
    mode: 'runner',
    runner: {
      forge: parts.forgeId,
      scope: forge.scope,
      labels,
      label: labels[0] ?? '',
      jobs: wish.jobs,
      idle: wish.idle,
      enrolled: runners,
      supply,
      machine: { ...program, archive: archive.value },
      ...(wish.setupAfter === undefined ? {} : { setup: wish.setupAfter }),
      relaunch: { ...wish },
    },
  }
  await Promise.all([
    ...credentials.map(async ({ slot, k, value }) => d.store.write(d.keys.once(slot, k), Buffer.from(value))),
    put(d, d.keys.control, { v: 1, nonce: newNonce() } satisfies ControlRecord),
    ...Array.from({ length: spec.count }, async (_, index) =>
      put(d, d.keys.slot(index).record, newSlot(index, newNonce(), spec.createdAt)),
    ),
  ])
  await put(d, d.keys.spec, spec)
  return spec
}

async function put(d: Deployment, key: string, value: unknown): Promise<void> {
  await d.store.write(key, Buffer.from(JSON.stringify(value)))
}

/** Makes the deployment visible as complete. */
async function open(d: Deployment): Promise<void> {
  await changeRecord<CurrentRecord>(d.store, currentKey(d.id), (now) => {
    if (now?.incarnation !== d.incarnation || now.destroying)
      throw new RemoteError(`deployment "${d.name}" was removed while it was being created`)
    const { creating: _creating, relaunch: _relaunch, ...rest } = now
    return rest
  })
}

/** What was asked for, hashed by a key of the deployment: the same command is known again. */
export function fingerprint(
  id: string,
  wish: RunnerModeWish,
  forge: string,
  scope: Readonly<Record<string, string>>,
): Record<string, string> {
  const hash = (value: unknown): string => createHmac('sha256', id).update(JSON.stringify(value)).digest('hex').slice(0, 24)
  return Object.fromEntries(
    Object.entries(comparable(wish, forge, scope))
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, hash(value)]),
  )
}

export function commonSpec(
  d: Pick<Deployment, 'id' | 'name' | 'incarnation'>,
  parts: Pick<CreateParts, 'wish' | 'origin' | 'agent' | 'forge' | 'forgeId'>,
  createdAt: string,
): CommonSpec {
  const { wish } = parts
  return {
    v: 1,
    id: d.id,
    incarnation: d.incarnation,
    name: d.name,
    mode: 'runner',
    createdAt,
    origin: parts.origin,
    count: wish.count,
    lifetime: {
      deadline: new Date(Date.parse(createdAt) + wish.timeout * 1000).toISOString(),
      grace: wish.grace,
      reserve: wish.reserve,
      retention: wish.retention,
    },
    lease: wish.lease,
    ...(wish.setup ? { setup: wish.setup } : {}),
    env: wish.env,
    secretNames: [],
    retry: { maxAttempts: 5, retries: 0, retryOn: [] },
    failFast: false,
    gang: false,
    agent: parts.agent.digest,
    fingerprint: fingerprint(d.id, wish, parts.forgeId, parts.forge.scope),
  }
}

/** The cloud's part of the wish. */
export function machineWish(spec: CommonSpec, wish: RunnerModeWish, store: StoreAccess): Omit<MachineSpec, 'store' | 'agent'> {
  return { ...groupSpec(spec, wish, store), unprivileged: true }
}
