/**
 * The record of a slot: the only thing that decides. Every change is a compare-and-swap of the whole record, made by the holder or by a
 * takeover, and carries a fresh nonce. A terminal state is never written over.
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
 * What the holder is busy with while the state is `booting` or `running`.
 * A runner: `enrolling` it gets its program and registers · `idle` it waits for a job · `job` it serves one · `draining` it takes no more
 */
const PHASES = ['restoring', 'gang', 'setup', 'script', 'saving', 'enrolling', 'idle', 'job', 'draining'] as const
export type SlotPhase = (typeof PHASES)[number]

/**
 * Why an attempt or a slot ended.
 * `exit` the script ended by itself · `setup` the set-up ended non-zero · `interrupted` the machine was taken away or shut down · `stopped`
 * on request · `timed-out` the deadline · `lost` the holder went silent · `out-of-memory`, `disk-full` the machine's limit ·
 * `results-not-saved` the final snapshot could not be stored · `store-full`, `store-lost` the store · `no-start` machines that never took
 * the slot · `no-capacity` no machine was available, or the quota is used up · `denied` the group may not make one · `attempts` too many
 * attempts ended without notice · `no-progress` three announced interruptions in a row saved nothing new · `sibling` another slot failed
 * (fail-fast)
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
  'store-lost',
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
  /** Key prefix the manifest lies under, relative to the incarnation's root: `base/` or `slots/<n>/snap/`. */
  readonly at: string
  readonly epoch: number
  /** ISO time of the save, by the machine's clock. */
  readonly savedAt: string
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
  /** If another command found its machine dead: its last sign of life. `end` follows when the slot is taken over or closed. */
  readonly lastSign?: string
  /** Ended by a notice: shown, but not counted against `max-attempts`. */
  readonly announced?: boolean
  readonly cause?: Cause
  /** One line for people. */
  readonly reason?: string
  readonly exitCode?: number
  /** Last log sequence number of this attempt that counts. */
  readonly logEnd?: number
  /** Head this attempt started from and whether it published any newer one. */
  readonly from?: string
  readonly saved?: boolean
  /** ISO time of the last snapshot it published: the work between that and `end` is lost. */
  readonly savedAt?: string
  /** Its machine runs at full price, in a run that prefers spot machines (`spot: prefer`). */
  readonly full?: boolean
}

/** Bytes; times are ISO, by the holder's clock. */
export interface Transfer {
  readonly done: number
  readonly total: number
  readonly since: string
}

/** From `since` to `at`. */
export interface SlotTransfer extends Transfer {
  readonly at: string
}

export interface SlotRecord {
  readonly v: typeof VERSION
  /** Fresh with every write: S3 versions are content hashes, so equal bytes would let a stale condition match again. */
  readonly nonce: string
  readonly index: number
  readonly state: SlotState
  readonly phase?: SlotPhase
  /** Number of times the slot was taken; 0 = never. */
  readonly epoch: number
  readonly holder?: string
  /**
   * How far the transfer of its files has come in this phase, from `since` to `at`: to the machine while it restores, from it while it
   * makes the last save. For people.
   */
  readonly transfer?: Transfer
  /** The holder has released it on purpose: take over at once. */
  readonly released?: boolean
  /** Increases with every beat. */
  readonly beat: number
  /** Address of the holder; for a slot that has ended, that of its last one. */
  readonly address?: string
  readonly head?: SnapshotRef
  /** The last generation that was read from a quiet tree, when head is not. */
  readonly lastQuiet?: SnapshotRef
  /** Head before the present one: the fallback when a pack turns out corrupt. */
  readonly previous?: SnapshotRef
  readonly attempts: readonly Attempt[]
  /** Script retries used up (`retries`). */
  readonly retried?: number
  readonly cause?: Cause
  readonly reason?: string
  readonly exitCode?: number
  /** Values the script wrote to `TPI_OUTPUT`. */
  readonly outputs?: Readonly<Record<string, string>>
  /** Text the script wrote to `TPI_SUMMARY` (capped). */
  readonly summary?: string
  /** Runner: single-use credentials taken so far; the next one has this number. Written before the credential is used. */
  readonly claimed?: number
  /** Runner: the jobs it served, oldest first; the oldest are dropped beyond a hundred. */
  readonly jobs?: readonly ServedJob[]
  /** Runner: jobs that ended here, also those no longer listed. */
  readonly served?: number
  /** How many of these did not succeed, as far as its program says. */
  readonly failed?: number
  /** ISO time of this write, by the writer's clock. For people: nobody compares clocks. */
  readonly at: string
}

/** Where a snapshot may lie, relative to its incarnation. */
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
 * When the present attempt ended without anybody seeing it: when its next beat should have come. `beat` in milliseconds; `at`: ISO, when that
 * was noticed.
 */
export function unseenEnd(record: Pick<SlotRecord, 'at' | 'attempts'>, beat: number, at: string): string {
  const last = new Date(Date.parse(record.attempts.at(-1)?.lastSign ?? record.at) + beat).toISOString()
  return last < at ? last : at
}

/** Its attempts, with this noted about the present one. */
export function aboutAttempt({ attempts, epoch }: Pick<SlotRecord, 'attempts' | 'epoch'>, about: Partial<Attempt>): readonly Attempt[] {
  return attempts.map((one) => (one.epoch === epoch ? { ...one, ...about } : one))
}

/** It has a snapshot of its own: its head is not what was uploaded. */
export function hasSaved<S extends { readonly head?: SnapshotRef }>(slot: S): slot is S & { readonly head: SnapshotRef } {
  return slot.head !== undefined && slot.head.at !== BASE
}

/** The snapshots that it names, in the order in which they are started from: what was read from a quiet tree before what was not. */
export function generationsOf({ head, lastQuiet, previous }: Pick<SlotRecord, 'head' | 'lastQuiet' | 'previous'>): SnapshotRef[] {
  const refs = head?.quiet === false ? [lastQuiet, head, previous] : [head, previous, lastQuiet]
  const known = new Map<string, SnapshotRef>()
  for (const ref of refs) if (ref && !known.has(ref.digest)) known.set(ref.digest, ref)
  return [...known.values()]
}

export function transferOf({ transfer, at }: SlotRecord): SlotTransfer | undefined {
  return transfer && { ...transfer, at }
}

/** A machine has worked on it, or a former run left it a snapshot: there is something that users may want to see. */
export function isWorthKeeping(slot: Pick<SlotRecord, 'attempts' | 'head'>): boolean {
  return slot.attempts.length > 0 || hasSaved(slot)
}

export function isTerminal(state: SlotState): state is TerminalState {
  return (TERMINAL_STATES as readonly string[]).includes(state)
}

/** A machine holds it, and may have something to save. */
export function isHeld({ state, holder, released }: Pick<SlotRecord, 'state' | 'holder' | 'released'>): boolean {
  return !isTerminal(state) && holder !== undefined && released !== true
}

export function newSlot(index: number, nonce: string, at: string): SlotRecord {
  return { v: VERSION, nonce, index, state: 'waiting', epoch: 0, beat: 0, attempts: [], at }
}
