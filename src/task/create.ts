/** What a task adds to a deployment: the work directory, secrets, and what each slot starts from. */

import type { MachineSpec } from '../core/cloud.ts'
import { commonSpec, createDeployment, type DeploymentParts } from '../engine/create/create.ts'
import { fingerprint } from '../engine/create/fingerprint.ts'
import { groupSpec } from '../engine/create/group-spec.ts'
import { deliveryDigest, type Receipt, writeReceipt } from '../engine/deliver/destination.ts'
import type { CurrentRead, Deployment, Engine, Place } from '../engine/deployment.ts'
import { telling } from '../engine/transfer-progress.ts'
import { makeRoomAfter } from '../snapshot/memory.ts'
import { UNATTENDED } from '../snapshot/outage.ts'
import { openSaver } from '../snapshot/save/save.ts'
import { BASE } from '../wire/layout.ts'
import { VERSION } from '../wire/parse.ts'
import type { SnapshotRef } from '../wire/slot.ts'
import type { DeploymentFacts, TaskSpec } from '../wire/spec.ts'
import type { StoreAccess } from '../wire/store.ts'
import { comparable, type TaskRequest } from './request.ts'
import type { Seed } from './resume.ts'
import { entrust } from './secrets.ts'
import type { UploadPlan } from './workdir/what-is-uploaded.ts'

/** Bytes that can be uploaded before a machine has started. If there is more to upload, the machines would wait, and cost money. */
const SOON = 32e6

export interface CreateParts extends DeploymentParts {
  readonly request: TaskRequest
  readonly upload: UploadPlan | undefined
  /** What a former run has left to start from (`resume`). */
  readonly seed: Seed | undefined
  /** The record of a former incarnation, in the version that was judged: this creation overwrites it, and restores it if it fails. */
  readonly former: CurrentRead | undefined
}

/** Whether the machines are started before the upload (see `StoreSetup.ahead`). */
export function beginsAhead(upload: Pick<UploadPlan, 'size'> | undefined): boolean {
  return (upload?.size.bytes ?? 0) <= SOON
}

/** `undefined`: another controller was faster; it is its deployment now. */
export async function createTask(engine: Engine, place: Place, parts: CreateParts): Promise<{ d: Deployment; spec: TaskSpec } | undefined> {
  const { request, storeAccess, seed, former } = parts
  return createDeployment<TaskSpec, TaskSpec, Base | undefined>(engine, place, parts, {
    draft: (d, createdAt) => plannedSpec(d, parts, createdAt),
    machines: (draft) => ({ ...machineRequest(draft, request, storeAccess), ahead: beginsAhead(parts.upload) }),
    supply: async (d, _, signal) => uploadBase(engine, d, parts.upload, signal),
    async complete(d, draft, base) {
      makeRoomAfter(parts.upload?.size.files ?? 0)
      const starts = await seed?.plant(d, base?.ref)
      await writeReceipt(engine, d, receiptOf(request, draft.createdAt, base))
      return {
        spec: {
          ...draft,
          ...(base ? { base: base.ref.digest } : {}),
          fingerprint: fingerprint(d.id, { ...comparable(request), workdir: base?.content }),
        },
        first: (index) => ({ ...(base ? { head: base.ref } : {}), ...starts?.get(index) }),
      }
    },
    entrust: async (d, spec) => entrust(d, spec, request.secrets),
    former: async () => former,
  })
}

/** What a later command on this computer needs to deliver the results. */
function receiptOf({ workdir, outputDir, output }: TaskRequest, at: string, base: Base | undefined): Receipt {
  const folder = outputDir ?? workdir
  const start = { at, ...(workdir === undefined ? {} : { workdir }), named: outputDir !== undefined, output }
  return { v: VERSION, ...(folder === undefined ? {} : { folder }), start: base ? { ...start, base: base.ref.digest } : start }
}

/** The work directory as it was uploaded. */
interface Base {
  readonly ref: SnapshotRef
  readonly content: string
}

async function uploadBase(engine: Engine, d: Deployment, upload: UploadPlan | undefined, signal: AbortSignal): Promise<Base | undefined> {
  if (!upload) return undefined
  const saver = await openSaver({
    store: d.store,
    root: d.keys.root,
    at: BASE,
    folder: upload.folder,
    select: upload.select,
    paths: upload.paths,
    overlay: upload.overlay,
    patience: UNATTENDED,
    warn: (message) => engine.host.warn(message),
  })
  const saved = await telling(engine, 'uploading the work directory', upload.size.bytes, async (tell) =>
    saver.save({ signal, progress: ({ bytes }) => tell(bytes) }),
  )
  if (!saved) return undefined
  return { ref: { ...saved.ref, epoch: 0 }, content: await upload.identity(saved.manifest) }
}

/** The specification before the upload: what `plan` shows, and what the group is made from. */
export function plannedSpec(
  d: Pick<Deployment, 'id' | 'name' | 'incarnation'>,
  parts: Pick<CreateParts, 'request' | 'origin' | 'agent'>,
  createdAt: string,
): TaskSpec {
  const { request } = parts
  return {
    ...commonSpec('task', d, parts, createdAt),
    program: request.program,
    ...(request.container !== undefined && { container: request.container }),
    ...(request.budget && { budget: request.budget }),
    secretNames: Object.keys(request.secrets),
    workingDirectory: request.workingDirectory,
    output: request.output,
    checkpoint: request.checkpoint,
    retry: request.retry,
    failFast: request.failFast,
    gang: request.gang,
    fingerprint: {},
    ...(request.rehearse ? { rehearse: request.rehearse } : {}),
    delivery: {
      ...(request.outputPath === undefined ? {} : { path: request.outputPath }),
      outputLayout: request.outputLayout,
      keepOnFailure: request.keepOnFailure,
    },
  }
}

/** The cloud's part of the request. */
export function machineSpec(spec: TaskSpec, parts: Pick<CreateParts, 'request' | 'storeAccess' | 'agent'>): MachineSpec {
  const { request, storeAccess } = parts
  return { ...machineRequest(spec, request, storeAccess), agent: parts.agent.digest, store: storeAccess }
}

/** The same, before store credentials and agent are known. */
export function machineRequest(
  spec: DeploymentFacts & Partial<Pick<TaskSpec, 'delivery' | 'output'>>,
  request: TaskRequest,
  store: StoreAccess,
): Omit<MachineSpec, 'store' | 'agent'> {
  const { delivery, output } = spec
  const group = groupSpec(spec, request, store)
  return {
    ...group,
    ...(delivery && output ? { tags: { ...group.tags, promise: deliveryDigest({ delivery, output }) } } : {}),
    ...(request.keepOnFailure ? { keep: true } : {}),
    ...(request.rehearse ? { rehearse: request.rehearse } : {}),
  }
}
