/**
 * The record of a slot, which alone decides how its work stands. Every change is a compare-and-swap of the whole record with a fresh nonce, by the
 * holder, or by whoever takes the slot over. A terminal state never changes.
 */

import { count, dictionary, flag, line, list, maybe, object, oneOf, text, time } from '../lib/shape.ts'
import { BASE } from './layout.ts'
import { digest, nonce, type RecordKind, VERSION, word } from './parse.ts'
import { type ServedJob, servedJob } from './runner.ts'

const OPEN_STATES = ['waiting', 'booting', 'running', 'interrupted'] as const
const TERMINAL_STATES = ['succeeded', 'failed', 'timed-out', 'stopped'] as const
export type OpenState = (typeof OPEN_STATES)[number]
export type TerminalState = (typeof TERMINAL_STATES)[number]
export type SlotState = OpenState | TerminalState

/**
 * What the holder is doing while the state is `booting` or `running`.
 * Only runners: `enrolling` it gets its program and registers · `idle` it waits for a job · `job` it runs one · `draining` it takes no more jobs
 */
const PHASES = ['restoring', 'gang', 'setup', 'script', 'saving', 'enrolling', 'idle', 'job', 'draining'] as const
export type SlotPhase = (typeof PHASES)[number]

/**
 * Why an attempt or a slot has ended.
 * `exit` the script ended by itself · `setup` the set-up failed · `interrupted` the machine was taken away or shut down · `stopped` on request ·
 * `timed-out` at the deadline · `lost` the holder went silent · `out-of-memory`, `disk-full` the script needed more than the machine has ·
 * `results-not-saved` the last snapshot could not be stored · `store-full` the store has no room · `no-start` machines never took the slot ·
 * `no-capacity` no machine was available, or the quota is used up · `denied` the group may not make a machine · `attempts` too many attempts
 * ended without notice · `no-progress` three announced interruptions in a row saved nothing new · `sibling` another slot failed (`fail-fast`)
 */
const CAUSES = [
  'exit',
  'setup',
  'interrupted',
  'stopped',
  'timed-out',
  'lost',
  'out-of-memory',
  'disk-full',
  'results-not-saved',
  'store-full',
  'no-start',
  'no-capacity',
  'denied',
  'attempts',
  'no-progress',
  'sibling',
] as const
export type Cause = (typeof CAUSES)[number]

export interface SnapshotRef {
  /** SHA-256 (hex) of the manifest: its name in the store. */
  readonly digest: string
  /** The folder of the manifest, relative to the incarnation's root: `base/` or `slots/<n>/snap/`. */
  readonly at: string
  /** The attempt that has saved it. */
  readonly epoch: number
  /** ISO time of the save, by the machine's clock. */
  readonly savedAt: string
  /** No file changed while it was read. */
  readonly quiet: boolean
  readonly files: number
  readonly bytes: number
}

export interface Attempt {
  readonly epoch: number
  readonly holder: string
  /** ISO times by the holder's clock; `end` is absent while it runs. */
  readonly start: string
  readonly end?: string
  /** The machine's last sign of life, if a command has found it dead. `end` is written when the slot is taken over or closed. */
  readonly lastSign?: string
  /** It ended after a notice: it is shown, but does not count against `max-attempts`. */
  readonly announced?: boolean
  readonly cause?: Cause
  /** One line for people. */
  readonly reason?: string
  readonly exitCode?: number
  /** Number of the last log segment of this attempt that counts. */
  readonly logEnd?: number
  /** Digest of the head from which it started. */
  readonly from?: string
  /** It has saved a newer one. */
  readonly saved?: boolean
  /** ISO time of its last snapshot: the work between that and `end` is lost. */
  readonly savedAt?: string
  /** Its machine is one at full price, in a run that prefers spot machines (`spot: prefer`). */
  readonly full?: boolean
}

/** How far a transfer of files has come. */
export interface Transfer {
  /** Bytes. */
  readonly done: number
  readonly total: number
  /** When it began; ISO, by the holder's clock. */
  readonly since: string
}

export interface SlotTransfer extends Transfer {
  /** When it had come so far; ISO, by the holder's clock. */
  readonly at: string
}

export interface SlotRecord {
  readonly v: typeof VERSION
  /** Fresh with every write. Versions of S3 are hashes of the content, so with equal bytes an outdated condition could hold again. */
  readonly nonce: string
  readonly index: number
  readonly state: SlotState
  readonly phase?: SlotPhase
  /** How often the slot was taken; 0: never. */
  readonly epoch: number
  /** The name of the machine that holds it. */
  readonly holder?: string
  /** How far its files have come in this phase: to the machine while it restores, from it in the last save. For people. */
  readonly transfer?: Transfer
  /** Nobody holds it any more: the next machine takes it over at once. */
  readonly released?: boolean
  /** Increases with every heartbeat. */
  readonly beat: number
  /** Address of the holder; for a slot that has ended, that of its last one. */
  readonly address?: string
  /** The last snapshot. */
  readonly head?: SnapshotRef
  /** The last quiet snapshot, if the head is not quiet. */
  readonly lastQuiet?: SnapshotRef
  /** The head before this one, in case this one is damaged. */
  readonly previous?: SnapshotRef
  readonly attempts: readonly Attempt[]
  /** How often a failed script was run again (`retries`). */
  readonly retried?: number
  readonly cause?: Cause
  readonly reason?: string
  readonly exitCode?: number
  /** Values that the script has written to `TPI_OUTPUT`. */
  readonly outputs?: Readonly<Record<string, string>>
  /** The beginning of what the script has written to `TPI_SUMMARY`. */
  readonly summary?: string
  /** Runner: how many credentials were taken; the next one has this number. Written before a credential is used. */
  readonly claimed?: number
  /** Runner: the last hundred jobs that it has served, oldest first. */
  readonly jobs?: readonly ServedJob[]
  /** Runner: how many jobs have ended here, also those that are no longer listed. */
  readonly served?: number
  /** Runner: how many of these did not succeed, as far as its program says. */
  readonly failed?: number
  /** ISO time of this write, by the writer's clock. For people: nobody compares clocks. */
  readonly at: string
}

/** Where a snapshot may be, relative to its incarnation. */
export const snapshotsAt = text(40, /^(base|slots\/\d{1,6}\/snap)\/$/, 'a folder of snapshots')
const REASON = text(65_536)

const snapshotRef = object<SnapshotRef>({
  digest,
  at: snapshotsAt,
  epoch: count(),
  savedAt: time,
  quiet: flag,
  files: count(),
  bytes: count(),
})

export const attempt = object<Attempt>({
  epoch: count(),
  holder: word,
  start: time,
  end: maybe(time),
  lastSign: maybe(time),
  announced: maybe(flag),
  cause: maybe(oneOf(...CAUSES)),
  reason: maybe(REASON),
  exitCode: maybe(count(65_535)),
  logEnd: maybe(count()),
  from: maybe(digest),
  saved: maybe(flag),
  savedAt: maybe(time),
  full: maybe(flag),
})

export const slotState = oneOf(...OPEN_STATES, ...TERMINAL_STATES)
export const outputs = dictionary(text(1 << 18), text(1 << 18), 65_536)

export const SLOT: RecordKind<SlotRecord> = {
  what: 'the record of a slot',
  most: 8 << 20,
  shape: object<SlotRecord>({
    v: oneOf(VERSION),
    nonce,
    index: count(1_000_000),
    state: slotState,
    phase: maybe(oneOf(...PHASES)),
    epoch: count(),
    holder: maybe(word),
    transfer: maybe(object<Transfer>({ done: count(), total: count(), since: time })),
    released: maybe(flag),
    beat: count(),
    address: maybe(line(256)),
    head: maybe(snapshotRef),
    lastQuiet: maybe(snapshotRef),
    previous: maybe(snapshotRef),
    attempts: list(attempt, 100_000),
    retried: maybe(count()),
    cause: maybe(oneOf(...CAUSES)),
    reason: maybe(REASON),
    exitCode: maybe(count(65_535)),
    outputs: maybe(outputs),
    summary: maybe(text(1 << 19)),
    claimed: maybe(count()),
    jobs: maybe(list(servedJob, 1000)),
    served: maybe(count()),
    failed: maybe(count()),
    at: time,
  }),
}

/**
 * When the last attempt ended, if nobody saw it: when its next heartbeat should have come, `beat` milliseconds after its last sign of life. Not
 * later than `at`, when somebody noticed. Both times are ISO.
 */
export function unseenEnd(record: Pick<SlotRecord, 'at' | 'attempts'>, beat: number, at: string): string {
  const last = new Date(Date.parse(record.attempts.at(-1)?.lastSign ?? record.at) + beat).toISOString()
  return last < at ? last : at
}

/** Its attempts, with `about` added to the present one. */
export function aboutAttempt({ attempts, epoch }: Pick<SlotRecord, 'attempts' | 'epoch'>, about: Partial<Attempt>): readonly Attempt[] {
  return attempts.map((one) => (one.epoch === epoch ? { ...one, ...about } : one))
}

/** It has a snapshot of its own: its head is not what was uploaded. */
export function hasSaved<S extends { readonly head?: SnapshotRef }>(slot: S): slot is S & { readonly head: SnapshotRef } {
  return slot.head !== undefined && slot.head.at !== BASE
}

/** The snapshots that it names, in the order in which the next attempt tries them: quiet ones before others. */
export function generationsOf({ head, lastQuiet, previous }: Pick<SlotRecord, 'head' | 'lastQuiet' | 'previous'>): SnapshotRef[] {
  const refs = head?.quiet === false ? [lastQuiet, head, previous] : [head, previous, lastQuiet]
  const known = new Map<string, SnapshotRef>()
  for (const ref of refs) if (ref && !known.has(ref.digest)) known.set(ref.digest, ref)
  return [...known.values()]
}

export function transferOf({ transfer, at }: SlotRecord): SlotTransfer | undefined {
  return transfer && { ...transfer, at }
}

/** A machine has worked on it, or it began with a snapshot of a former run: there is something that users may want to see. */
export function isWorthKeeping(slot: Pick<SlotRecord, 'attempts' | 'head'>): boolean {
  return slot.attempts.length > 0 || hasSaved(slot)
}

export function isTerminal(state: SlotState): state is TerminalState {
  return (TERMINAL_STATES as readonly string[]).includes(state)
}

/** A machine holds it. */
export function isHeld({ state, holder, released }: Pick<SlotRecord, 'state' | 'holder' | 'released'>): boolean {
  return !isTerminal(state) && holder !== undefined && released !== true
}

/** The record of a slot before any machine takes it. `at`: ISO. */
export function newSlot(index: number, nonce: string, at: string): SlotRecord {
  return { v: VERSION, nonce, index, state: 'waiting', epoch: 0, beat: 0, attempts: [], at }
}
