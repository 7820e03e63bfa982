/** The end of an attempt: stores the last log segment and the last snapshot; then one write of slot.json decides how it ended. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { bootNow, pause } from '../../lib/clock.ts'
import { globs, globsOrInside } from '../../lib/glob.ts'
import { redactText } from '../../lib/redact.ts'
import { messageOf } from '../../lib/text.ts'
import { SnapshotError } from '../../snapshot/errors.ts'
import { wipe } from '../../snapshot/folder/disk.ts'
import { nameSome } from '../../snapshot/path.ts'
import type { Saved } from '../../snapshot/types.ts'
import { removeSecrets, stopSiblings } from '../../wire/after-close.ts'
import { aboutAttempt, type Cause, type SlotRecord } from '../../wire/slot.ts'
import { closing } from '../../wire/slot-end.ts'
import { isStoreError } from '../../wire/store.ts'
import type { SlotContext } from '../machine-context.ts'
import { takeLeave } from '../runner/leave.ts'
import { abortAt, lastCallAt } from '../slot/deadline.ts'
import { beginning } from '../slot/takeover-rules.ts'
import type { LogShipper } from '../telemetry/log-shipper.ts'
import { withHead } from './checkpoint.ts'
import type { Work } from './context.ts'
import { scriptFiles } from './environment.ts'
import { MOST_OUTPUT, MOST_SUMMARY, parseOutputs, readCapped } from './output-values.ts'
import { type Happened, judge, type Verdict } from './verdict.ts'

/** `closed` the slot is terminal · `open` it is released for another machine · `again` the script runs once more, on this machine */
export type AttemptResult = 'closed' | 'open' | 'again'

/** Milliseconds for cleaning up after a slot was closed: the machine has nothing else to do, and controllers do the same. */
export const TIDY = 5000
/** The same if the machine must tell its forge that it leaves: perhaps no controller is left to do it. */
const PARTING = 30_000

/** What the end of an attempt adds to the record. */
interface Harvest {
  readonly saved: Saved | undefined
  readonly logEnd: number | undefined
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
}

/** Rejects when the slot is lost, or the record cannot be written before the hard deadline. */
export async function finish(work: Work, logs: LogShipper, happened: Happened, needles: readonly Buffer[]): Promise<AttemptResult> {
  const over = new AbortController()
  // A task has results to store, however long the store is out of reach. A runner has none, so its machine leaves.
  work.ending.closing = work.context.spec.mode === 'task'
  try {
    return await conclude(work, logs, happened, needles, over.signal)
  } finally {
    over.abort()
  }
}

async function conclude(
  work: Work,
  logs: LogShipper,
  happened: Happened,
  needles: readonly Buffer[],
  over: AbortSignal,
): Promise<AttemptResult> {
  const { context, holder, ending, deadlines } = work
  const judged = judge(happened, holder.record, context.spec)
  const unsaved = judged.state === 'interrupted' ? { ...judged, ...closingOf(work) } : judged
  const call = AbortSignal.any([abortAt(lastCallAt(deadlines, ending.goneDue), over), ending.severed])
  const given = await readGiven(work, needles)
  context.say(lineOf(unsaved))
  if (unsaved.state === 'failed' && keepsFolder(context))
    context.warn(`the script's folder is kept for you to look at: ${context.folders.work}`)
  const snapshot = unsaved.state === 'again' ? {} : await saveLast(work, unsaved, call)
  const verdict = snapshot.fault ? marred(unsaved, snapshot.fault) : unsaved
  if (snapshot.fault) context.say(snapshot.fault.reason)
  if (snapshot.fault?.cause === 'store-full') await makeRoom(work)
  // If the end of the log cannot be stored, what was stored of it still counts.
  const patience = snapshot.fault?.cause === 'store-full' ? AbortSignal.any([call, abortAt(bootNow() + TIDY, over)]) : call
  const closed = logs.close(patience).catch((error: unknown) => {
    context.say(`the end of the log could not be stored: ${String(error)}`)
    return undefined
  })
  const [logEnd] = await Promise.all([closed, work.meter.flush(patience)])
  ending.severed.throwIfAborted()
  const harvest: Harvest = { saved: snapshot.saved, logEnd, ...given }
  const record = await holder.update(
    (now) => ended(now, verdict, harvest),
    AbortSignal.any([ending.severed, abortAt(Math.max(deadlines.hard, bootNow() + 100), over)]),
  )
  if (verdict.state === 'again') {
    ending.unsettle()
    return 'again'
  }
  if (verdict.state === 'interrupted') return 'open'
  await tidy(work, record)
  return 'closed'
}

/** Removes files that could not be saved, and would be lost anyway: if the store is on the same disk, writing slot.json needs the space. */
async function makeRoom({ context }: Work): Promise<void> {
  const { folders, say } = context
  if (keepsFolder(context)) return
  for (const folder of [folders.tmp, folders.work]) await wipe(folder).catch((error: unknown) => say(String(error)))
}

function keepsFolder({ spec }: SlotContext): boolean {
  return spec.mode === 'task' && spec.delivery.keepOnFailure
}

/** How an interrupted slot ends if no machine would continue it: the next machine would do the same. */
function closingOf({ control, deadlines, context }: Work): ReturnType<typeof closing> {
  const pastDeadline = deadlines.soft <= bootNow()
  return closing({ stop: control.stop, pastDeadline, deadline: context.spec.lifetime.deadline })
}

function lineOf(verdict: Verdict): string {
  return `${verdict.state === 'again' ? 'the script runs again' : verdict.state}: ${verdict.reason}`
}

interface SaveFault {
  readonly cause: Cause
  readonly reason: string
}

async function saveLast(work: Work, verdict: Verdict, call: AbortSignal): Promise<{ saved?: Saved; fault?: SaveFault }> {
  const { checkpoints, begun, setUp } = work.machine
  // No program of the user has run here, or only part of a set-up, which runs again elsewhere: the head stays as it is.
  const idle = !begun || (verdict.state === 'interrupted' && !setUp && work.context.spec.setup)
  if (!checkpoints || idle) return {}
  void work.holder.update(({ transfer: _over, ...record }) => ({ ...record, phase: 'saving' }), call).catch(() => undefined)
  try {
    const saved = await checkpoints.final(verdict.state !== 'interrupted', call, work.ending.sureUntil)
    return { ...(saved ? { saved } : {}), ...unreadOf(work, checkpoints.unreadable) }
  } catch (error) {
    work.ending.severed.throwIfAborted()
    if (error instanceof SnapshotError && error.kind === 'no-folder') return withoutFolder(work)
    const why = messageOf(error)
    if (isStoreError(error, 'full')) return { fault: { cause: 'store-full', reason: `results not saved, the store is full: ${why}` } }
    return { fault: { cause: 'results-not-saved', reason: `results not saved: ${why}` } }
  }
}

/** Outputs that the agent may not read (a container may have written them for root only) are lost with the machine. */
function unreadOf({ context: { spec, folders } }: Work, unreadable: readonly string[]): { fault?: SaveFault } {
  if (spec.mode !== 'task') return {}
  const [isOutput, mayHoldOutputs] = [globs(spec.output), globsOrInside(spec.output)]
  const lost = unreadable.filter((path) => (isFile(join(folders.work, path)) ? isOutput : mayHoldOutputs)(path))
  if (lost.length === 0) return {}
  return { fault: { cause: 'results-not-saved', reason: `not all results saved: could not be read: ${nameSome(lost)}` } }
}

/** `false`: it is a folder, or nothing can be learned about it. */
function isFile(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The work directory is gone. The head stays as it is: nothing is removed from the store because something is missing here. */
function withoutFolder({ context: { spec, warn } }: Work): { fault?: SaveFault } {
  const reason = 'the work directory was removed by the program that ran in it'
  if (spec.mode === 'task' && spec.output.length > 0)
    return { fault: { cause: 'results-not-saved', reason: `results not saved: ${reason}` } }
  warn(`${reason}: none of it was saved`)
  return {}
}

/** A success whose results could not be saved is a failure. Any other end stays, with a note on what is missing. */
function marred(verdict: Verdict, fault: SaveFault): Verdict {
  if (verdict.state === 'succeeded') return { ...verdict, state: 'failed', ...fault }
  return { ...verdict, reason: `${verdict.reason}; ${fault.reason}` }
}

async function readGiven(work: Work, needles: readonly Buffer[]): Promise<Pick<Harvest, 'outputs' | 'summary'>> {
  const files = scriptFiles(work.context.folders.run)
  const { warn } = work.context
  const [output, summary] = await Promise.all([readCapped(files.output, MOST_OUTPUT), readCapped(files.summary, MOST_SUMMARY)])
  if (output.cut) warn(`TPI_OUTPUT: only the first ${MOST_OUTPUT} bytes count`)
  if (summary.cut) warn(`TPI_SUMMARY: only the first ${MOST_SUMMARY} bytes count`)
  const parsed = parseOutputs(output.text)
  for (const fault of parsed.faults) warn(`TPI_OUTPUT: ${fault}`)
  const outputs = Object.entries(parsed.values).map(([name, value]) => [redactText(name, needles), redactText(value, needles)] as const)
  return { outputs: Object.fromEntries(outputs), summary: redactText(summary.text, needles) }
}

/** The record at the end of an attempt. */
function ended(record: SlotRecord, verdict: Verdict, harvest: Harvest): SlotRecord {
  const {
    phase: _phase,
    transfer: _transfer,
    address,
    released: _released,
    ...rest
  } = harvest.saved ? withHead(record, harvest.saved) : record
  const at = new Date().toISOString()
  const { cause, reason, exitCode } = verdict
  const { logEnd } = harvest
  const attempts = aboutAttempt(rest, {
    end: at,
    cause,
    reason,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(logEnd === undefined ? {} : { logEnd }),
    ...(verdict.announced ? { announced: true } : {}),
  })
  const outputs = { ...record.outputs, ...harvest.outputs }
  const summary = `${record.summary ?? ''}${harvest.summary}`.slice(0, MOST_SUMMARY)
  const gone = { ...rest, attempts, outputs, ...(summary === '' ? {} : { summary }) }
  if (verdict.state === 'interrupted') return { ...gone, state: 'interrupted', released: true }
  // A slot that has ended keeps its address, so that siblings of a gang which start a moment later see the same list.
  const next = address === undefined ? gone : { ...gone, address }
  if (verdict.state !== 'again') return { ...next, state: verdict.state, cause, reason, ...(exitCode === undefined ? {} : { exitCode }) }
  const begun = beginning({ attempts, epoch: record.epoch + 1 }, record.holder ?? '', at)
  return { ...next, ...begun, epoch: record.epoch + 1, retried: (record.retried ?? 0) + 1 }
}

/** What follows when a slot was closed. If something fails here, controllers do it. */
async function tidy(work: Work, record: SlotRecord): Promise<void> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, work.ending.severed])
  const jobs = Promise.allSettled([
    removeSecrets(work.context, signal).then(async (last) => takeLeave(work, record, last, signal)),
    stopSiblings(work.context, record, signal),
  ])
  const { spec } = work.context
  const limit = spec.mode === 'runner' && spec.runner.machine.farewell ? PARTING : TIDY
  await Promise.race([jobs, pause(limit, signal).catch(() => undefined)])
  done.abort()
}
