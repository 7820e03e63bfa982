/** Ships the log of one attempt, in segments that are written once, one after the other. Secrets are masked before that. */
import { orAborted, untilWoken } from '../../lib/abort.ts'
import { free } from '../../lib/heap.ts'
import { Redactor } from '../../lib/redact.ts'
import type { SlotLayout } from '../../wire/layout.ts'
import { encodeSegment, type LogStream } from '../../wire/log.ts'
import { VERSION } from '../../wire/parse.ts'
import { isStoreError, type Store } from '../../wire/store.ts'
import { persist } from '../outage.ts'
import type { OutputSink } from '../process/script.ts'
import { Backlog, type BacklogRun } from './backlog.ts'

/** Milliseconds for which bytes are gathered before they are sent. */
const GATHER = 50
/** Milliseconds between two segments. */
const SPACING = 900
/** The same after more than `PATIENT` segments in a row that were `SMALL` (bytes): each costs a call. */
const EASED_SPACING = 2000
const PATIENT = 600
const SMALL = 4 * 1024
/** So many segments at the beginning of an attempt are sent without pauses: somebody is waiting to see that it works. */
const HASTY = 5
/** Bytes: when so many are waiting, a segment is sent at once. */
const ENOUGH = 64 * 1024
/** Bytes of one segment, about. */
const LARGEST = 2 * 1024 * 1024

/** How often a full store may refuse the end of a log, some seconds altogether: then a machine that has nothing else to do leaves without it. */
const REFUSALS = 10

export interface LogOptions {
  readonly store: Store
  readonly slot: SlotLayout
  readonly epoch: number
  /** Path of a file for what waits for the store. */
  readonly spool: string
  /** Aborts when nothing may be written any more. */
  readonly severed: AbortSignal
}

export class LogShipper {
  readonly #options: LogOptions
  readonly #backlog: Backlog
  readonly #redactors = new Map<LogStream, Redactor>()
  #needles: readonly Buffer[] = []
  /** The number of the last segment. */
  #seq = 0
  /** When the first of the waiting bytes came. */
  #since = 0
  #shippedAt = Number.NEGATIVE_INFINITY
  /** Small segments in a row. */
  #smallOnes = 0
  #closing = false
  #wake: () => void = () => {}
  #roomMade: (() => void)[] = []
  readonly #done: Promise<void>
  /** Why nothing more can be shipped. */
  #broken: unknown

  constructor(options: LogOptions) {
    this.#options = options
    this.#backlog = new Backlog(options.spool)
    this.#done = this.#pump().catch((error: unknown) => {
      this.#broken = error
      this.#makeRoom()
    })
  }

  /** A stream of this log, for the output of a program. */
  sink(stream: LogStream): OutputSink {
    const full = (): boolean => this.full
    return {
      write: (bytes) => this.write(stream, bytes),
      get full() {
        return full()
      },
      room: async () => this.room(),
    }
  }

  /** Sets what is masked from now on. Call it before a program that knows these secrets starts. */
  mask(needles: readonly Buffer[]): void {
    this.#needles = needles
    this.#redactors.clear()
  }

  write(stream: LogStream, bytes: Uint8Array): void {
    if (this.#closing || this.#broken !== undefined) return
    const redactor = this.#redactors.get(stream) ?? new Redactor(this.#needles)
    this.#redactors.set(stream, redactor)
    this.#add(stream, redactor.push(bytes))
  }

  /** The end of a stream: ships what was held back because it looked like the beginning of a secret. */
  finish(stream: LogStream): void {
    const rest = this.#redactors.get(stream)?.end()
    this.#redactors.delete(stream)
    if (rest) this.#add(stream, rest)
  }

  /** See `OutputSink`. */
  get full(): boolean {
    return this.#broken === undefined && this.#backlog.full
  }

  async room(): Promise<void> {
    if (this.full) await new Promise<void>((resolve) => this.#roomMade.push(resolve))
  }

  /**
   * Ships all that is left. Resolves to the number of the last segment (0: there is none). Rejects if that is impossible, or if the signal
   * aborts before the store has everything.
   */
  async close(signal: AbortSignal): Promise<number> {
    for (const stream of this.#redactors.keys()) this.finish(stream)
    this.#closing = true
    this.#wake()
    await orAborted(this.#done, signal)
    if (this.#broken !== undefined) throw this.#broken
    return this.#seq
  }

  #add(stream: LogStream, bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#backlog.size === 0) this.#since = performance.now()
    this.#backlog.push({ stream, at: new Date().toISOString(), bytes })
    this.#wake()
  }

  async #pump(): Promise<void> {
    try {
      while (await this.#due()) {
        const run = this.#backlog.take(LARGEST)
        if (run) await this.#ship(segmentOf(run))
        this.#shippedAt = performance.now()
        this.#smallOnes = run && run.length < SMALL ? this.#smallOnes + 1 : 0
        if (!this.#backlog.full) this.#makeRoom()
      }
    } finally {
      this.#backlog.close()
    }
  }

  /** Waits until a segment is worth sending. False: everything is shipped, and nothing will follow. */
  async #due(): Promise<boolean> {
    for (;;) {
      this.#options.severed.throwIfAborted()
      const { size } = this.#backlog
      if (this.#closing) return size > 0
      const due = Math.max(this.#since + GATHER, this.#shippedAt + this.#spacing)
      const wait = due - performance.now()
      if (size >= ENOUGH || (size > 0 && wait <= 0)) return true
      await untilWoken(size > 0 ? wait : undefined, this.#options.severed, (wake) => (this.#wake = wake))
    }
  }

  /** Milliseconds between the last segment and the next one. */
  get #spacing(): number {
    if (this.#seq < HASTY) return 0
    return this.#smallOnes > PATIENT ? EASED_SPACING : SPACING
  }

  async #ship(object: Uint8Array): Promise<void> {
    const { store, slot, epoch, severed } = this.#options
    const key = slot.segment(epoch, ++this.#seq)
    let [tries, refused] = [0, 0]
    try {
      await persist(async (signal) => {
        tries++
        return store.write(key, object, { absent: true }, signal).catch((error: unknown) => {
          const isHopeless = this.#closing && isStoreError(error, 'full') && ++refused >= REFUSALS
          throw isHopeless ? new Error('the storage is full', { cause: error }) : error
        })
      }, severed)
    } catch (error) {
      // Nobody else writes segments of this epoch, so an earlier try has succeeded, and its reply was lost.
      if (!isStoreError(error, 'conflict')) throw error
    }
    // After several tries, one that was given up may still be reading from it.
    if (tries === 1) free(object)
  }

  #makeRoom(): void {
    for (const resolve of this.#roomMade.splice(0)) resolve()
  }
}

function segmentOf({ stream, at, parts }: BacklogRun): Uint8Array {
  return Buffer.concat([encodeSegment({ v: VERSION, stream, at, bytes: new Uint8Array() }), ...parts])
}
