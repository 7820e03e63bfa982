/** What a person sees while a deployment is followed: changes, the program's output, and a sign of life each minute. */
import type { Clock, Observation } from '../core/cloud.ts'
import type { Host } from '../core/host.ts'
import type { Watcher } from '../engine/follow/follow.ts'
import type { Load } from '../engine/follow/machine-load.ts'
import type { LogPiece } from '../engine/log-reader.ts'
import { formatBytes } from '../lib/bytes.ts'
import { formatDuration } from '../lib/duration.ts'
import { oneLine, plural } from '../lib/text.ts'
import { transferWords } from '../lib/transfer.ts'
import { isOfAgent } from '../wire/log.ts'
import type { Sample } from '../wire/sample.ts'
import { hasSaved, isTerminal, type SlotRecord, type SlotTransfer, transferOf } from '../wire/slot.ts'
import { isOwnEnd } from '../wire/slot-end.ts'
import { attemptEnd, machineChange } from './attempt-end.ts'
import { gpuShare } from './load-chart.ts'
import { tellOfAgent } from './log-lines.ts'
import { shortNumber } from './run.ts'

export interface ProgressOptions {
  readonly count: number
  readonly clock: Pick<Clock, 'now' | 'date'>
  /** Also tpi's own lines from the machine. */
  readonly verbose: boolean
  /** For the status line of a terminal. */
  readonly run?: Run
}

interface Run {
  readonly name: string
  /** ISO. */
  readonly createdAt: string
  /** ISO. */
  readonly deadline: string
  /** Somebody watches: the load of machines is read, which costs calls. */
  readonly live?: boolean
  /** USD per machine-hour, once it is known. */
  readonly price?: () => number | undefined
}

/** Milliseconds without any line after which one says how the run stands. */
const QUIET = 60_000

/** A watcher that tells a person what happens. */
export function progress(host: Host, options: ProgressOptions): Watcher {
  const started = options.clock.now()
  let spoke = started
  /** What closes the section of a set-up, by slot. */
  const setups = new Map<number, () => void>()
  const say = (text: string): void => {
    spoke = options.clock.now()
    host.info(oneLine(text))
  }
  const of = (index: number): string => (options.count > 1 ? `slot ${index}: ` : '')
  // No sections if there are several slots: their set-ups run at the same time, and sections cannot overlap.
  const setUp = (index: number): (() => void) => {
    if (options.count === 1) return host.openSection('Set-up')
    say(`${of(index)}setup`)
    return () => undefined
  }
  const endSetUp = (index: number): void => {
    setups.get(index)?.()
    setups.delete(index)
  }
  return {
    live: options.run?.live === true,
    slot(record, before) {
      if (isTerminal(record.state) || record.epoch !== before?.epoch) endSetUp(record.index)
      for (const text of changes(record, before)) say(of(record.index) + text)
    },
    log(piece: LogPiece) {
      if (isOfAgent(piece.stream)) return tellOfAgent(host, piece, of(piece.slot), options.verbose)
      spoke = options.clock.now()
      if (piece.stream === 'setup' && !setups.has(piece.slot)) setups.set(piece.slot, setUp(piece.slot))
      if (piece.stream === 'script') endSetUp(piece.slot)
      host.script(piece.bytes, { slot: piece.slot, label: options.count > 1 ? `[${piece.slot}] ` : '' })
    },
    event(text, kind) {
      if (kind === 'info') host.debug(text)
      else if (kind === 'notice' || kind === 'advice') say(text)
      else host.warn(oneLine(text))
    },
    tick(slots, seen, load) {
      const took = formatDuration(Math.round((options.clock.now() - started) / 1000))
      const { run } = options
      const date = options.clock.date()
      const wait = waiting(slots, seen, options.count)
      const line = wait && waitLine(wait, run, date, took)
      host.status(line ?? (run ? standing(run, slots, date, load) : ''))
      if (options.clock.now() - spoke >= QUIET) say(line ?? `${saving(slots) ?? 'running'} (${took})`)
    },
  }
}

/** What to say about a changed slot, a line for each event, in the order in which they happened. */
function changes(slot: SlotRecord, before: SlotRecord | undefined): readonly string[] {
  return [...turns(slot, before), ...endOf(slot, before)]
}

/** Attempts that have begun since the last look, each in one line with the end of the one before it. There may be several. */
function turns(slot: SlotRecord, before: SlotRecord | undefined): readonly string[] {
  const known = before?.epoch ?? Math.max(0, slot.epoch - 1)
  const last = slot.attempts.at(-1)?.epoch ?? 0
  return slot.attempts
    .filter(({ epoch }) => epoch > known)
    .flatMap(({ epoch, holder }) => {
      if (epoch > 1) return [machineChange(slot.attempts, epoch - 1, epoch, epoch === last ? savedAt(slot) : undefined)]
      // If it has ended already, the line about its end is enough.
      return isTerminal(slot.state) || slot.state === 'interrupted' ? [] : [`machine ${holder} is up`]
    })
}

/** How the slot has ended; and before that, how its last attempt did, if that was not told yet and is not the same. */
function endOf(slot: SlotRecord, before: SlotRecord | undefined): readonly string[] {
  if (!isTerminal(slot.state) || before?.state === slot.state) return []
  const last = slot.attempts.at(-1)
  const untold = last !== undefined && (before?.state === 'interrupted' || last.epoch < slot.epoch)
  const reason = slot.reason ?? `exit code ${slot.exitCode ?? '?'}`
  const end = slot.state === 'succeeded' || reason.startsWith(slot.state) ? reason : `${slot.state}: ${reason}`
  return [...(untold ? [attemptEnd(last)] : []), slot.state === 'succeeded' ? slot.state : end]
}

const savedAt = (slot: SlotRecord): string | undefined => (hasSaved(slot) ? slot.head.savedAt : undefined)

/**
 * The status line of a run: its state, how much of its time is over, what is saved, the load of its machine, interruptions, price, machine.
 * Terminals cut long lines, so the most important comes first. Empty: it has ended.
 */
function standing(run: Run, slots: readonly SlotRecord[], now: Date, load: Pick<Load, 'of'>): string {
  const open = slots.filter((slot) => !isTerminal(slot.state))
  if (open.length === 0) return ''
  const [only] = slots
  const alone = slots.length === 1 && only !== undefined
  const newest = open.filter(hasSaved).sort((a, b) => (a.head.savedAt < b.head.savedAt ? 1 : -1))[0]
  // Not ends of the script itself, after which it was run again.
  const lost = slots.flatMap(({ attempts }) => attempts.filter(({ end, cause }) => end !== undefined && !isOwnEnd(cause))).length
  const price = run.price?.()
  return [
    `${run.name}: ${alone ? (saving(slots) ?? doing(only)) : `${open.length} of ${slots.length} running`}`,
    `${between(run.createdAt, now.getTime())} of ${between(run.createdAt, Date.parse(run.deadline))}`,
    newest ? `saved ${between(newest.head.savedAt, now.getTime())} ago (${formatBytes(newest.head.bytes)})` : 'nothing saved yet',
    ...(alone ? busy(load.of(only.index)) : []),
    ...(lost > 0 ? [plural(lost, 'interruption')] : []),
    ...(price ? [`${shortNumber(price * open.length)} USD/h`] : []),
    ...(alone && only.holder !== undefined ? [only.holder] : []),
  ].join(' · ')
}

const doing = ({ phase, state }: SlotRecord): string => (phase === undefined || phase === 'script' ? state : phase)

/** What the machine of the only slot does once the program has ended; `undefined`: the program has not, or there are several slots. */
function saving([slot, ...others]: readonly SlotRecord[]): string | undefined {
  return slot?.phase === 'saving' && others.length === 0 ? `saving its files${transferText(transferOf(slot))}` : undefined
}

const percent = (share: number): string => `${Math.round(100 * share)} %`

function busy(sample: Sample | undefined): string[] {
  if (!sample) return []
  const { cpu, memory, memoryTotal, gpus = [] } = sample
  return [
    `CPU ${percent(cpu)}, memory ${formatBytes(memory)} of ${formatBytes(memoryTotal)}${gpus.length > 0 ? `, GPU ${percent(gpuShare(sample))}` : ''}`,
  ]
}

/** How long it is from one time (ISO) to another (milliseconds since 1970). */
const between = (from: string, to: number): string => formatDuration(Math.max(0, Math.round((to - Date.parse(from)) / 1000)))

const untilDeadline = ({ deadline }: Run, now: Date): string => `${between(now.toISOString(), Date.parse(deadline))} until the deadline`

interface Wait {
  readonly what: string
  /** ISO. Absent: since the run was created. */
  readonly since: string | undefined
  readonly reason: string | undefined
}

/** What the run waits for, in one line. The reason comes last, because it may be longer than a terminal is wide. */
function waitLine({ what, since, reason }: Wait, run: Run | undefined, now: Date, watched: string): string {
  const begin = since ?? run?.createdAt
  const times = [begin === undefined ? watched : between(begin, now.getTime()), ...(run ? [untilDeadline(run, now)] : [])]
  return `${what} (${times.join(', ')})${reason === undefined ? '' : `: ${reason}`}`
}

/** What the run waits for; `undefined`: all programs are running. */
function waiting(slots: readonly SlotRecord[], seen: Observation, count: number): Wait | undefined {
  const open = slots.filter((slot) => !isTerminal(slot.state))
  const idle = open.filter((slot) => slot.state !== 'running' || slot.released)
  const [first] = idle
  if (first === undefined) return undefined
  const alone = idle.length === 1
  const last = alone && isBetween(first) ? first.attempts.at(-1) : undefined
  const scarce = scarcity(seen, open.length)
  const troubled = scarce ?? seen.events.findLast(({ kind }) => kind !== 'info' && kind !== 'advice' && kind !== 'capacity')?.text
  return {
    what:
      (alone ? waitOf(first, count, scarce !== undefined) : `${idle.length} slots are waiting${scarce ? ' for capacity' : ''}`) +
      gang(open),
    since: last?.end,
    // Why the next machine does not come matters more than how the last one ended, which was told already.
    reason: scarce ?? (last ? attemptEnd(last) : troubled),
  }
}

/** How many machines of a gang wait with the others, because they cost money. */
function gang(open: readonly SlotRecord[]): string {
  const waiting = open.filter(({ phase }) => phase === 'gang').length
  return waiting === 0 ? '' : `; ${plural(waiting, 'machine')} of the gang ${waiting === 1 ? 'waits' : 'wait'} too`
}

function waitOf(slot: SlotRecord, count: number, scarce: boolean): string {
  const isNext = isBetween(slot)
  const who = count === 1 ? `the ${isNext ? 'next ' : ''}machine` : `slot ${slot.index}`
  if (slot.state === 'booting' && !isNext)
    return `${who} is ${slot.phase === 'restoring' ? `fetching its files${transferText(transferOf(slot))}` : slot.state}`
  if (scarce) return `${who} is waiting for capacity`
  if (count === 1) return `${who} is on its way`
  return `${who} is ${isNext ? 'waiting for its next machine' : slot.state}`
}

/** The cloud's last reason for having no machine; `undefined`: there are as many as wanted, or it gave none. */
function scarcity({ machines, events }: Observation, wanted: number): string | undefined {
  const last = events.findLast(({ kind }) => kind === 'capacity' || kind === 'quota')
  const present = machines.filter(({ state }) => state === 'starting' || state === 'running')
  return present.length < wanted ? last?.text : undefined
}

/** A machine has left the slot, and no other one has taken it yet. */
const isBetween = (slot: SlotRecord | undefined): boolean => slot?.state === 'interrupted' || slot?.released === true

/** How far the files of a slot have come, to follow what its machine does: ": 270 MB of 600 MB (45 %), 12 MB/s, 27s left". */
export function transferText(transfer: SlotTransfer | undefined): string {
  if (!transfer) return ''
  const { since, at, ...sizes } = transfer
  return `: ${transferWords({ ...sizes, seconds: (Date.parse(at) - Date.parse(since)) / 1000 })}`
}
