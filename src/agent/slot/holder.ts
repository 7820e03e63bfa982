/** Holding a slot: all writes of slot.json go through one queue, and each is conditional on the version that this holder saw last. */
import { randomUUID } from 'node:crypto'
import { Mutex } from '../../lib/mutex.ts'
import { messageOf } from '../../lib/text.ts'
import { parseRecord } from '../../wire/parse.ts'
import { isTerminal, SLOT, type SlotRecord } from '../../wire/slot.ts'
import { isStoreError, type Store, type StoredObject, type Version } from '../../wire/store.ts'
import { swapRecord } from '../../wire/swap.ts'
import { persist } from '../outage.ts'

/** `taken` another machine holds a later epoch · `closed` the slot was closed · `gone` the incarnation was removed */
export type Loss = 'taken' | 'closed' | 'gone'

/** This machine has lost the slot: the script must be killed, and nothing may be written any more. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
  readonly loss: Loss
  constructor(loss: Loss, detail: string) {
    super(`this machine no longer holds the slot: ${detail}`)
    this.loss = loss
  }
}

export interface Held {
  readonly record: SlotRecord
  readonly version: Version
}

/** A change of the record. It may be applied several times, each time to what the store has then. */
export type SlotChange = (record: SlotRecord) => SlotRecord

export class Holder {
  readonly #store: Store
  readonly #key: string
  readonly #say: (line: string) => void
  readonly #fence = new AbortController()
  #record: SlotRecord
  #version: Version
  readonly #queue = new Mutex()
  /** Nonces of writes whose outcome is not known yet. */
  readonly #sent = new Set<string>()
  #waiting = 0
  #renewedAt = performance.now()
  #away = false

  constructor(store: Store, key: string, held: Held, say: (line: string) => void) {
    this.#store = store
    this.#key = key
    this.#record = held.record
    this.#version = held.version
    this.#say = say
  }

  /** The last known record in the store. */
  get record(): SlotRecord {
    return this.#record
  }

  /** Aborts, with `Fenced` as reason, when the slot is lost. */
  get fenced(): AbortSignal {
    return this.#fence.signal
  }

  /** When the store last accepted a write of this holder, by `performance.now()`. */
  get renewedAt(): number {
    return this.#renewedAt
  }

  /** Whether no write is queued or in progress. */
  get idle(): boolean {
    return this.#waiting === 0
  }

  /**
   * Queues a change, and tries until the store has it. Resolves to the record as it is stored. Rejects with `Fenced` if the slot is lost,
   * or with the signal's reason (then it is not known whether the change was stored). A terminal record stays as it is, and is the result.
   */
  async update(change: SlotChange, signal?: AbortSignal): Promise<SlotRecord> {
    this.#waiting++
    try {
      return await this.#queue.take(async () => this.#apply(change, signal))
    } finally {
      this.#waiting--
    }
  }

  async #apply(change: SlotChange, signal: AbortSignal | undefined): Promise<SlotRecord> {
    for (;;) {
      this.#fence.signal.throwIfAborted()
      if (isTerminal(this.#record.state)) return this.#record
      const beat = this.#record.beat + 1
      const next: SlotRecord = { ...change(kept(this.#record)), nonce: randomUUID(), beat, at: new Date().toISOString() }
      if (await this.#swap(next, signal)) return next
    }
  }

  /** Tries to store `next`. False: the record had changed, but this machine still holds the slot; `#record` is now what was found. */
  async #swap(next: SlotRecord, signal: AbortSignal | undefined): Promise<boolean> {
    this.#sent.add(next.nonce)
    const both = signal ? AbortSignal.any([signal, this.#fence.signal]) : this.#fence.signal
    try {
      const swap = await persist(
        async (limit) => swapRecord(SLOT, this.#store, this.#key, next, this.#version, limit),
        both,
        (error) => this.#trouble(error),
      )
      if (swap.won) this.#accept(next, swap.version)
      else this.#meet(swap.there)
      return swap.won
    } catch (error) {
      if (isStoreError(error, 'gone')) throw this.#lose('gone', 'the run was removed')
      throw error
    }
  }

  /** The record is not the one that was expected. Throws `Fenced` unless this machine still holds the slot. */
  #meet(object: StoredObject | undefined): void {
    if (object === undefined) throw this.#lose('gone', 'its record was removed')
    const found = parseRecord(SLOT, object.bytes, this.#key)
    const ours = this.#sent.has(found.nonce) || (found.holder === this.#record.holder && found.epoch === this.#record.epoch)
    if (!ours && isTerminal(found.state)) throw this.#lose('closed', `it was closed as ${found.state}`)
    if (!ours)
      throw this.#lose('taken', `${found.holder ?? 'another machine'} holds epoch ${found.epoch}, this one held ${this.#record.epoch}`)
    // A write of our own has arrived after all, or somebody else has only noted something in the record.
    this.#accept(found, object.version)
  }

  #accept(record: SlotRecord, version: Version): void {
    this.#record = record
    this.#version = version
    this.#sent.clear()
    this.#renewedAt = performance.now()
    if (this.#away) this.#say('store: reachable again')
    this.#away = false
  }

  #trouble(error: unknown): void {
    if (!this.#away) this.#say(`store: ${messageOf(error)}; the work goes on, but nothing is published until the store is back`)
    this.#away = true
  }

  #lose(loss: Loss, detail: string): Fenced {
    const fenced = new Fenced(loss, detail)
    this.#fence.abort(fenced)
    return fenced
  }
}

/**
 * The record without what a command has noted that took this machine for dead: the next machine would take the slot from a living one. (When this
 * machine lets go of the slot itself, its state is `interrupted`.)
 */
function kept(record: SlotRecord): SlotRecord {
  if (!record.released || record.state === 'interrupted') return record
  const { released: _released, ...held } = record
  const attempts = record.attempts.map((attempt) => {
    if (attempt.end !== undefined) return attempt
    const { lastSign: _sign, reason: _reason, ...open } = attempt
    return open
  })
  return { ...held, attempts }
}
