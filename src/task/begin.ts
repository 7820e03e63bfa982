/** Finding or making the deployment that a `task` command means. */
import type { AgentBundle } from '../core/cloud.ts'
import { InputError } from '../core/errors.ts'
import { differences, fingerprint } from '../engine/create/fingerprint.ts'
import { type CollectParams, deliver, markCollected } from '../engine/deliver/collect.ts'
import { FolderError } from '../engine/deliver/delivery-failure.ts'
import { readReceipt } from '../engine/deliver/destination.ts'
import { withoutDeliveries } from '../engine/deliver/without-deliveries.ts'
import {
  type CurrentRead,
  type Deployment,
  type Engine,
  type Place,
  readCollected,
  readSpec,
  recorded,
  taskOnly,
} from '../engine/deployment.ts'
import { destroy, tryToClearFormer } from '../engine/destroy/destroy.ts'
import { isRemoved, TooLate } from '../engine/destroy/removed.ts'
import { stopAndWait } from '../engine/destroy/stop.ts'
import { follow, SILENT } from '../engine/follow/follow.ts'
import { closeEnded } from '../engine/follow/one-look.ts'
import { overlay } from '../engine/follow/read-only-store.ts'
import { readStatus } from '../engine/follow/read-status.ts'
import { tryToRemember } from '../engine/history.ts'
import { enter, type Presence } from '../engine/owner/presence.ts'
import { abandoned, currentOf, untilOurs } from '../engine/owner/silence.ts'
import { messageOf, plural } from '../lib/text.ts'
import { hardDeadline, overtime } from '../wire/lifetime.ts'
import type { Origin } from '../wire/records.ts'
import { hasSaved, isTerminal, type SlotRecord } from '../wire/slot.ts'
import type { TaskSpec } from '../wire/spec.ts'
import type { StoreAccess } from '../wire/store.ts'
import { type CreateParts, createTask } from './create.ts'
import { type Meeting, meet } from './if-exists.ts'
import { comparable, type TaskRequest } from './request.ts'
import { type Seed, seedFrom } from './resume.ts'
import { refreshSecrets } from './secrets.ts'
import type { UploadPlan } from './workdir/what-is-uploaded.ts'

export interface Begin extends Pick<CreateParts, 'shown'> {
  readonly request: TaskRequest
  readonly origin: Origin
  readonly storeAccess: StoreAccess
  readonly agent: AgentBundle
  readonly upload: UploadPlan | undefined
  /** The workspace, or the folder that the command was given in; absolute. */
  readonly here: string
  readonly signal: AbortSignal
  /** Keeps the results of a run that is replaced, once they are here. */
  readonly keep?: CollectParams['beforeCollected']
  /** Called with the reason if the request is valid, but its deployment could not be made. Nothing is left of it then. */
  readonly unmade?: (why: unknown) => void
}

export interface Begun {
  readonly d: Deployment
  readonly spec: TaskSpec
  /** It existed before this command. */
  readonly attached: boolean
  /** It was moved to another region, by this command or another one. Something may be left in its former region. */
  readonly moved?: true
  /** It was to move, but stayed where it was. */
  readonly back?: true
}

/** Finds or makes the deployment this command means. */
export async function begin(engine: Engine, place: Place, parts: Begin): Promise<Begun> {
  return untilOurs(place.name, async () => {
    parts.signal.throwIfAborted()
    const current = await currentOf(place)
    if (!current) return make(engine, place, parts, undefined, undefined)
    const d = recorded(place, current.value)
    if (current.value.state === 'open') return encounter(engine, d, parts, current)
    const judged = await abandoned(engine, d, current, parts.request.lease.ttl)
    if (judged) await destroy(engine, d, { why: 'rollback', judged })
    return undefined
  })
}

/** Decides about a deployment that exists. `undefined`: it has changed, and the caller looks again. */
async function encounter(engine: Engine, d: Deployment, parts: Begin, judged: CurrentRead): Promise<Begun | undefined> {
  const { request } = parts
  const found = await readSpec(d)
  if (!found) {
    await destroy(engine, d, { why: 'unneeded', judged })
    return undefined
  }
  const spec = taskOnly(found)
  // A run that nobody will continue has ended, although nobody was there to see it. It is closed only if this command may act on it: by then, a
  // quota may have room again.
  const drawn = overlay(d.store)
  const shown = await closeEnded(engine, { ...d, store: drawn }, spec, parts.signal)
  let records = shown.map(({ record }) => record)
  const here = await fingerprintHere(engine, d, spec, records, parts)
  const collected = (await readCollected(d)) !== undefined
  const meeting = meet(
    { spec, slots: records, collected },
    { fingerprint: here, origin: parts.origin, ifExists: request.ifExists, resume: request.resume },
  )
  if (meeting === 'resume') refuseFewer(d, records, request.count, collected)
  if (drawn.touched()) {
    const closed = await closeAsShown(engine, d, spec, records, parts.signal)
    if (!closed) return undefined
    records = closed
  }
  if (meeting === 'attach') {
    const open = records.some(({ state }) => !isTerminal(state))
    if (differences(spec.fingerprint, here).includes('workdir')) engine.host.warn(edited(d, request, open))
    return attach(engine, d, spec, request)
  }
  const lost = meeting === 'anew' ? lastSaved(records) : undefined
  if (lost !== undefined) engine.host.warn(startsOver(d, lost))
  const seed = meeting === 'resume' ? seedFrom(engine, d, spec, records) : undefined
  await seed?.tell(await parts.upload?.describe())
  return supersede(engine, d, spec, meeting, parts, { seed, judged })
}

/** Closes the slots that are shown as ended. Resolves to all as they are then; `undefined`: one of those has another end, or none. */
async function closeAsShown(
  engine: Engine,
  d: Deployment,
  spec: TaskSpec,
  shown: readonly SlotRecord[],
  signal: AbortSignal,
): Promise<SlotRecord[] | undefined> {
  const now = (await closeEnded(engine, d, spec, signal)).map(({ record }) => record)
  return shown.every(({ index, state }) => !isTerminal(state) || now[index]?.state === state) ? now : undefined
}

/** Slots above the new count would not go on, and what they have saved would be removed. */
function refuseFewer({ name }: Deployment, slots: readonly SlotRecord[], count: number, collected: boolean): void {
  const lost = slots.filter(hasSaved).find(({ index, state }) => index >= count && !(collected && state === 'succeeded'))
  if (lost)
    throw new InputError(
      `parallelism: ${count} is too small: slot ${lost.index} of "${name}", which is to be resumed, has saved something`,
      {
        hint: `use \`parallelism: ${slots.length}\`, as before; or \`tpi collect ${name}\` brings its results first, and without \`resume\` a new run starts`,
      },
    )
}

/** Time of the last checkpoint that a run which did not succeed could be resumed from. */
const lastSaved = (slots: readonly SlotRecord[]): string | undefined =>
  slots
    .filter(hasSaved)
    .filter(({ state }) => state !== 'succeeded')
    .map(({ head }) => head.savedAt)
    .toSorted()
    .at(-1)

const startsOver = ({ name }: Deployment, savedAt: string): string =>
  `${name}: the last run did not succeed; this one starts from the beginning, and the last checkpoint of that run (${savedAt}) is removed. To go on from it instead, stop this command, and run it again with \`resume: true\``

function edited({ name }: Deployment, { workdir }: TaskRequest, open: boolean): string {
  const what = workdir === undefined ? 'this command sends no work directory' : `"${workdir}" has changed since its upload`
  return `${name}: ${what}; ${open ? 'the run continues with' : 'its results are of'} the files as they were then. To start over with the current ones: \`if-exists: replace\`, or another name`
}

/** What this command asks for, to be compared with the existing deployment: results that this one has delivered do not count as changes. */
async function fingerprintHere(
  engine: Engine,
  d: Deployment,
  spec: TaskSpec,
  slots: readonly SlotRecord[],
  { request, upload }: Begin,
): Promise<Record<string, string>> {
  const here = fingerprint(d.id, { ...comparable(request), workdir: await upload?.identity() })
  if (!upload || !differences(spec.fingerprint, here).includes('workdir')) return here
  const workdir = await upload.identity(await withoutDeliveries(engine, d, spec, slots, await upload.describe()))
  return fingerprint(d.id, { ...comparable(request), workdir })
}

async function attach(engine: Engine, d: Deployment, spec: TaskSpec, request: TaskRequest): Promise<Begun> {
  await refreshSecrets(engine, d, spec, request.secrets)
  engine.host.annotate(
    'notice',
    `attached to ${d.name}, which was started at ${spec.createdAt}${spec.origin.commit ? ` on commit ${spec.origin.commit.slice(0, 10)}` : ''}`,
  )
  return { d, spec, attached: true }
}

/** Ends the former incarnation, saving what is there, and makes the next one. The former is removed once the next one exists. */
async function supersede(
  engine: Engine,
  d: Deployment,
  spec: TaskSpec,
  meeting: Exclude<Meeting, 'attach'>,
  parts: Begin,
  { seed, judged }: { readonly seed: Seed | undefined; readonly judged: CurrentRead },
): Promise<Begun | undefined> {
  if (meeting === 'replace' && !(await replaceOld(engine, d, spec, parts))) return undefined
  parts.signal.throwIfAborted()
  const made = await make(engine, d, parts, seed, judged)
  if (made) await tryToClearFormer(engine, made.d, `what its previous run has left (${d.incarnation})`)
  return made
}

/** Ends a run that is to be replaced, and delivers its results. `false`: another command has removed or replaced it meanwhile. */
async function replaceOld(engine: Engine, d: Deployment, spec: TaskSpec, parts: Begin): Promise<boolean> {
  engine.host.info(`replacing ${d.name}: stopping what runs there`)
  let presence: Presence | undefined
  try {
    presence = await enter(engine, d, spec.lease)
    return await bringHome(engine, d, spec, parts)
  } catch (error) {
    if (error instanceof FolderError || !(error instanceof TooLate || (await isRemoved(d)))) throw error
    parts.signal.throwIfAborted()
    engine.host.warn(`${d.name}: the results of the previous run were not delivered here: ${messageOf(error)}`)
    return false
  } finally {
    await presence?.leave().catch(() => undefined)
  }
}

/**
 * Ends the run, and delivers its results. This command is registered as a reader: another one that removes the run waits for it. `false`: it has just
 * moved to another region.
 */
async function bringHome(engine: Engine, d: Deployment, spec: TaskSpec, { request, here, keep, signal }: Begin): Promise<boolean> {
  // A last save may take as long as it needs: what is not saved is lost. (This computer's clock may be wrong.)
  const patience = Math.max(overtime(spec.lifetime) * 1000, hardDeadline(spec.lifetime) - engine.clock.date().getTime())
  const stopped = await stopAndWait(engine, d, spec, { by: 'replace', patience, signal })
  // If interrupted here, the run may still be saving. The request to stop is on record, so it ends on its own and keeps what it has.
  signal.throwIfAborted()
  if (stopped.d.incarnation !== d.incarnation) return false
  const isOver = stopped.slots.every(({ state }) => isTerminal(state))
  const slots = isOver ? stopped.slots : await follow(engine, d, spec, SILENT, { signal })
  signal.throwIfAborted()
  // Where its results go: if it was started here, where that command said, otherwise where this one says.
  const known = await readReceipt(engine, d)
  const to = known?.folder === undefined ? (request.outputDir ?? request.workdir) : undefined
  const saved = await deliver(engine, d, spec, { to, here, workdir: request.workdir, beforeCollected: keep })
  await markCollected(engine, d, slots, saved.folder, signal)
  await tryToRemember(engine, await readStatus(d, spec))
  if (saved.files.length > 0) engine.host.info(`saved ${plural(saved.files.length, 'file')} of the previous run to ${saved.folder}`)
  return true
}

async function make(
  engine: Engine,
  place: Place,
  parts: Begin,
  seed: Seed | undefined,
  former: CurrentRead | undefined,
): Promise<Begun | undefined> {
  const { request } = parts
  if (!former && request.resume && !seed) engine.host.info('nothing to resume: starting from the beginning')
  const made = await createTask(engine, place, { ...parts, seed, former }).catch((error: unknown) => {
    parts.unmade?.(error)
    throw error
  })
  return made && { ...made, attached: false }
}
