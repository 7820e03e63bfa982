/** Making a task's deployment: name first, group at 0, everything into the store, then N machines. */
import type { AgentBundle, MachineSpec } from '../core/cloud.ts'
import { RemoteError } from '../core/errors.ts'
import { newIncarnation, newNonce } from '../core/identity.ts'
import { keepAlive } from '../engine/alive.ts'
import { apply } from '../engine/apply.ts'
import { type Deployment, deploymentOf, type Engine } from '../engine/deployment.ts'
import { destroy } from '../engine/destroy.ts'
import { type GroupFacts, groupSpec } from '../engine/group-spec.ts'
import { furnishStore } from '../engine/own-store.ts'
import { changeRecord, type Read, swap } from '../engine/record.ts'
import { doneWith } from '../snapshot/memory.ts'
import { openSaver } from '../snapshot/save.ts'
import { currentKey } from '../wire/layout.ts'
import type { ControlRecord, CurrentRecord, Origin, SecretsRecord } from '../wire/records.ts'
import { newSlot, type SlotRecord, type SnapshotRef } from '../wire/slot.ts'
import type { TaskSpec } from '../wire/spec.ts'
import type { StoreAccess } from '../wire/store.ts'
import { fingerprint } from './fingerprint.ts'
import type { Seed } from './resume.ts'
import type { UploadPlan } from './upload.ts'
import { comparable, type TaskWish } from './wish.ts'

export interface CreateParts {
  readonly wish: TaskWish
  readonly id: string
  readonly origin: Origin
  /** As the machines get it. */
  readonly storeAccess: StoreAccess
  readonly agent: AgentBundle
  readonly upload: UploadPlan | undefined
  /** What a former run left, to start from (`resume`). */
  readonly seed: Seed | undefined
  /** The record of a former incarnation that may be written over; it is put back when this creation fails. */
  readonly former: Read<CurrentRecord> | undefined
  readonly signal: AbortSignal
}

type Place = Omit<Deployment, 'keys' | 'incarnation'>

/** `undefined`: another controller was faster; it is its deployment now. */
export async function create(engine: Engine, place: Place, parts: CreateParts): Promise<{ d: Deployment; spec: TaskSpec } | undefined> {
  const d = deploymentOf({ ...place, incarnation: newIncarnation() })
  const createdAt = engine.clock.date().toISOString()
  await furnishStore(engine, d, machineWish(plannedSpec(d, parts, createdAt), parts.wish, parts.storeAccess), parts)
  const current: CurrentRecord = {
    v: 1,
    nonce: newNonce(),
    id: d.id,
    name: d.name,
    incarnation: d.incarnation,
    createdAt,
    origin: parts.origin,
    creating: true,
  }
  if (!(await swap(d.store, currentKey(d.id), current, parts.former?.version))) return undefined
  const alive = keepAlive(engine, d, 'creating', parts.wish.lease.beat)
  try {
    const spec = await furnish(engine, d, parts, createdAt)
    parts.signal.throwIfAborted()
    // Complete only with its machines on the way: a controller that dies before leaves something to undo, not a run that nobody starts.
    await d.cloud.scale(d.id, spec.count)
    await open(d)
    return { d, spec }
  } catch (error) {
    engine.host.info(`could not create ${d.name}: giving everything back`)
    // A beat must not write into what is being cleared.
    await alive.stop()
    await destroy(engine, d).catch((problem: unknown) => engine.host.warn(`${String(problem)}; run: tpi destroy ${d.id} --discard`))
    if (parts.former) await swap(d.store, currentKey(d.id), parts.former.value, undefined).catch(() => false)
    throw error
  } finally {
    await alive.stop()
  }
}

/** Group and switch on one side, store on the other. */
async function furnish(engine: Engine, d: Deployment, parts: CreateParts, createdAt: string): Promise<TaskSpec> {
  const { wish } = parts
  await d.store.init(d.keys.root)
  const draft = plannedSpec(d, parts, createdAt)
  const [base] = await Promise.all([uploadBase(engine, d, parts), apply(engine, d, machineSpec(draft, parts)), uploadAgent(d, parts.agent)])
  doneWith(parts.upload?.size.files ?? 0)
  const spec: TaskSpec = {
    ...draft,
    ...(base ? { base: base.ref.digest } : {}),
    fingerprint: fingerprint(d.id, { ...comparable(wish), workdir: base?.content }),
  }
  parts.signal.throwIfAborted()
  if (spec.secretNames.length > 0) await put(d, d.keys.secrets, { v: 1, env: wish.secrets } satisfies SecretsRecord)
  await put(d, d.keys.control, { v: 1, nonce: newNonce() } satisfies ControlRecord)
  const starts = await parts.seed?.plant(d)
  const first = (index: number): SlotRecord => ({
    ...newSlot(index, newNonce(), createdAt),
    ...(base ? { head: base.ref } : {}),
    ...starts?.get(index),
  })
  await Promise.all(Array.from({ length: spec.count }, (_, index) => put(d, d.keys.slot(index).record, first(index))))
  await put(d, d.keys.spec, spec)
  return spec
}

async function put(d: Deployment, key: string, value: unknown): Promise<void> {
  await d.store.write(key, Buffer.from(JSON.stringify(value)))
}

async function uploadAgent(d: Deployment, agent: AgentBundle): Promise<void> {
  await d.store.write(d.keys.agent(agent.digest), agent.bytes)
}

async function uploadBase(engine: Engine, d: Deployment, parts: CreateParts): Promise<{ ref: SnapshotRef; content: string } | undefined> {
  const { upload } = parts
  if (!upload) return undefined
  const saver = await openSaver({
    store: d.store,
    root: d.keys.root,
    at: 'base/',
    folder: upload.folder,
    select: upload.select,
    overlay: upload.overlay,
    warn: (message) => engine.host.warn(message),
    progress: ({ files, bytes }) => engine.host.status(`uploading the work directory: ${files} files, ${Math.round(bytes / 1e6)} MB`),
  })
  const saved = await saver.save({ signal: parts.signal })
  engine.host.status('')
  if (!saved) return undefined
  for (const path of saved.unquiet) engine.host.warn(`${path} changed while it was uploaded`)
  return { ref: { ...saved.ref, epoch: 0 }, content: await upload.identity(saved.manifest) }
}

/** Makes the deployment visible as complete. */
async function open(d: Deployment): Promise<void> {
  await changeRecord<CurrentRecord>(d.store, currentKey(d.id), (now) => {
    if (now?.incarnation !== d.incarnation || now.destroying)
      throw new RemoteError(`deployment "${d.name}" was removed while it was being created`)
    const { creating: _creating, ...rest } = now
    return rest
  })
}

/** The specification before the upload: what `plan` shows, and what the group is made from. */
export function plannedSpec(
  d: Pick<Deployment, 'id' | 'name' | 'incarnation'>,
  parts: Pick<CreateParts, 'wish' | 'origin' | 'agent'>,
  createdAt: string,
): TaskSpec {
  const { wish } = parts
  return {
    v: 1,
    id: d.id,
    incarnation: d.incarnation,
    name: d.name,
    mode: 'task',
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
    program: wish.program,
    env: wish.env,
    secretNames: Object.keys(wish.secrets),
    workingDirectory: wish.workingDirectory,
    output: wish.output,
    checkpoint: wish.checkpoint,
    retry: wish.retry,
    failFast: wish.failFast,
    gang: wish.gang,
    agent: parts.agent.digest,
    fingerprint: {},
    ...(wish.rehearse ? { rehearse: wish.rehearse } : {}),
    delivery: {
      ...(wish.workdir ? { workdir: wish.workdir } : {}),
      ...(wish.outputDir ? { outputDir: wish.outputDir } : {}),
      outputLayout: wish.outputLayout,
      keepOnFailure: wish.keepOnFailure,
    },
  }
}

/** The cloud's part of the wish. */
export function machineSpec(spec: TaskSpec, parts: Pick<CreateParts, 'wish' | 'storeAccess' | 'agent'>): MachineSpec {
  const { wish, storeAccess } = parts
  return { ...machineWish(spec, wish, storeAccess), agent: parts.agent.digest, store: storeAccess }
}

/** The same before anything is known of store credentials and agent. */
export function machineWish(spec: GroupFacts, wish: TaskWish, store: StoreAccess): Omit<MachineSpec, 'store' | 'agent'> {
  return {
    ...groupSpec(spec, wish, store),
    ...(wish.keepOnFailure ? { keep: true } : {}),
    ...(wish.rehearse ? { rehearse: wish.rehearse } : {}),
  }
}
