/** Reading a slot's log in order: no gap, no repetition, across attempts. */
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

/** Position of a reader: the last segment it has taken. */
export class LogReader {
  readonly #d: Deployment
  readonly #slot: number
  #after: string | undefined
  /** The attempt whose segments were all listed once: what comes after those has the next numbers. */
  #listed: number | undefined

  constructor(d: Deployment, slot: number) {
    this.#d = d
    this.#slot = slot
  }

  /**
   * Everything new. `record` must have been read *before* this call: a segment of an ended attempt counts only up to that attempt's
   * `logEnd`; of the running attempt, as far as it has come.
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
      // A machine took the slot after its record was read: its lines come with the next look.
      if (epoch > record.epoch) return
      const object = counts(record, epoch, seq) ? await store.read(entry.key, undefined, signal) : undefined
      // Only now: after an outage, a later look begins with it again.
      this.#after = entry.key
      if (object) yield { slot: this.#slot, epoch, ...decodeSegment(object.bytes, entry.key) }
    }
    if (store.listsFromStart) this.#listed = record.epoch
  }

  /** By their names: after weeks, each list would be hundreds of megabytes. */
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

function counts(record: SlotRecord, epoch: number, seq: number): boolean {
  const attempt = record.attempts.find((candidate) => candidate.epoch === epoch)
  return attempt?.logEnd === undefined || seq <= attempt.logEnd
}
