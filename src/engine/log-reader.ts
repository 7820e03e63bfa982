/** Reading the log of a slot in order, across attempts: each piece once. */
import { numbersOf } from '../wire/layout.ts'
import { decodeSegment, type LogStream } from '../wire/log.ts'
import type { SlotRecord } from '../wire/slot.ts'
import type { Deployment } from './deployment.ts'

export interface LogPiece {
  readonly slot: number
  readonly epoch: number
  readonly stream: LogStream
  readonly at: string
  readonly bytes: Uint8Array
}

/** Reads the log of one slot, and keeps its position. */
export class LogReader {
  readonly #d: Deployment
  readonly #slot: number
  /** The key of the last segment that was read. */
  #after: string | undefined
  /** The attempt whose segments were listed once: those that come later have the next numbers. */
  #listed: number | undefined

  constructor(d: Deployment, slot: number) {
    this.#d = d
    this.#slot = slot
  }

  /**
   * Everything that is new. `record`: the slot's record, read before this call. Segments of an attempt that has ended count only up to its
   * `logEnd`; of the running attempt, all that there are.
   */
  async *next(record: SlotRecord, signal?: AbortSignal): AsyncIterable<LogPiece> {
    const { store, keys } = this.#d
    if (this.#listed === record.epoch) {
      yield* this.#further(record, signal)
      return
    }
    for await (const entry of store.list(keys.slot(this.#slot).log, this.#after, signal)) {
      const found = numbersOf(entry.key)
      if (!found) continue
      const { epoch, seq } = found
      // A machine has taken the slot after its record was read: its lines come with the next call.
      if (epoch > record.epoch) return
      const object = counts(record, epoch, seq) ? await store.read(entry.key, undefined, signal) : undefined
      // Not sooner: if the read fails, the next call begins with this segment again.
      this.#after = entry.key
      if (object) yield { slot: this.#slot, epoch, ...decodeSegment(object.bytes, entry.key) }
    }
    // Where changes are pushed, a list costs nothing (`Mirror`).
    if (!store.watch) this.#listed = record.epoch
  }

  /**
   * The next segments, by their names. In a bucket, a list costs more than ten times as much as a read that finds nothing; and where each
   * list reads from the start, it would be hundreds of megabytes after weeks.
   */
  async *#further(record: SlotRecord, signal: AbortSignal | undefined): AsyncIterable<LogPiece> {
    const { store, keys } = this.#d
    const { epoch } = record
    const last = numbersOf(this.#after ?? '')
    for (let seq = last?.epoch === epoch ? last.seq + 1 : 1; counts(record, epoch, seq); seq += 1) {
      const key = keys.slot(this.#slot).segment(epoch, seq)
      const object = await store.read(key, undefined, signal)
      if (!object) return
      this.#after = key
      yield { slot: this.#slot, epoch, ...decodeSegment(object.bytes, key) }
    }
  }
}

/** The segment was recorded before its attempt ended, or the attempt has no end yet. */
function counts(record: SlotRecord, epoch: number, seq: number): boolean {
  const attempt = record.attempts.find((candidate) => candidate.epoch === epoch)
  return attempt?.logEnd === undefined || seq <= attempt.logEnd
}
