/** The other machines of a run: `TPI_PEERS`, `TPI_PEERS_FILE`, and the waiting of a gang. */
import { pause } from '../../lib/clock.ts'
import { writeWhole } from '../../lib/files.ts'
import { Mutex } from '../../lib/mutex.ts'
import { isHeld, isTerminal, SLOT, type SlotRecord } from '../../wire/slot.ts'
import { readRecord } from '../../wire/swap.ts'
import { scriptFiles } from '../attempt/environment.ts'
import type { SlotContext } from '../machine-context.ts'

export class Peers {
  readonly #context: SlotContext
  readonly #records: (SlotRecord | undefined)[]
  /** The look that each record is from: the slow answer of an earlier look must not replace what a later one saw. */
  readonly #seen: number[]
  #looks = 0
  /** Nonces of siblings that may be dead: each counts as there once its nonce has changed. */
  #doubted: readonly (string | undefined)[] = []
  /** Looks overlap, and each writes the file: one after the other, so the last one to write has the newest list. */
  readonly #writing = new Mutex()
  #written: string | undefined

  constructor(context: SlotContext) {
    this.#context = context
    this.#records = Array.from({ length: context.spec.count }, () => undefined)
    this.#seen = this.#records.map(() => 0)
  }

  /** By slot; empty for machines that are not there. */
  get addresses(): string[] {
    const { index, config } = this.#context
    return this.#records.map((record, slot) => (slot === index ? config.address : addressOf(record)) ?? '')
  }

  /** A slot that will never be there, because it has failed, or has ended without ever having had a machine. */
  get #absent(): SlotRecord | undefined {
    return this.#records.find(
      (record) => record !== undefined && isTerminal(record.state) && (record.state === 'failed' || record.attempts.length === 0),
    )
  }

  /** The first sibling that is not there now, as far as known. One that has ended counts as there: nothing is gained by waiting for it. */
  get #missing(): number | undefined {
    const { index } = this.#context
    const isThere = (record: SlotRecord | undefined, slot: number): boolean =>
      record !== undefined && (isTerminal(record.state) || (stays(record) && record.nonce !== this.#doubted[slot]))
    const found = this.#records.findIndex((record, slot) => slot !== index && !isThere(record, slot))
    return found < 0 ? undefined : found
  }

  /** Looks at all siblings that have not ended, and updates the file. */
  async look(signal: AbortSignal): Promise<void> {
    const { index } = this.#context
    const open = this.#records.flatMap((record, slot) => (slot === index || (record && isTerminal(record.state)) ? [] : [slot]))
    await this.#lookAt(open, signal)
    await this.write()
  }

  async #lookAt(slots: readonly number[], signal: AbortSignal): Promise<void> {
    const { keys, store } = this.#context
    const turn = ++this.#looks
    await Promise.all(
      slots.map(async (slot) => {
        const read = await readRecord(SLOT, store, keys.slot(slot).record, signal)
        if (!read || turn < (this.#seen[slot] ?? 0)) return
        this.#records[slot] = read.value
        this.#seen[slot] = turn
      }),
    )
  }

  /** One address per line, by slot. The file is replaced as a whole, so a reader sees the old or the new list. */
  async write(): Promise<void> {
    await this.#writing.take(async () => {
      const text = this.addresses.map((address) => `${address}\n`).join('')
      if (text === this.#written) return
      await writeWhole(scriptFiles(this.#context.folders.run).peers, text, { mode: 0o666 })
      this.#written = text
    })
  }

  /**
   * Looks again and again until the signal. Each machine makes one call for each sibling, so it looks at one sibling per second on average.
   * Failures of the store are ignored here.
   */
  async watch(signal: AbortSignal): Promise<void> {
    const { spec } = this.#context
    const every = Math.max(Math.min(5000, spec.lease.beat), spec.count * 1000)
    while (spec.count > 1 && !signal.aborted) {
      await this.look(signal).catch(() => undefined)
      await pause(every, signal).catch(() => undefined)
    }
  }

  /**
   * Resolves when all siblings are there, or to the first one that never will be. Only a missing sibling is looked up: if each machine of
   * a gang of fifty looked up all others, the store would be busy with that alone. `again`: the gang has started before. Perhaps it starts
   * again because a sibling died, which its record does not show until its lease is over; so each must first give a new sign of life.
   */
  async gathered(again: boolean, signal: AbortSignal): Promise<SlotRecord | undefined> {
    this.#doubted = again ? this.#records.map((record) => record?.nonce) : []
    for (;;) {
      for (let slot = this.#missing; slot !== undefined && !this.#absent; slot = this.#missing) {
        await this.#lookAt([slot], signal).catch(() => undefined)
        signal.throwIfAborted()
        if (this.#missing === slot) await pause(Math.min(1000, this.#context.spec.lease.beat), signal)
      }
      // A sibling that was there may have left meanwhile.
      await this.look(signal).catch(() => undefined)
      signal.throwIfAborted()
      if (this.#absent || this.#missing === undefined) return this.#absent
    }
  }
}

/** A machine that is saving its files may be about to leave: often, the others start again because it was reclaimed. */
const stays = (record: SlotRecord): boolean => isHeld(record) && record.phase !== 'saving'

/** A sibling that has ended keeps its address, so that all others see the same list. */
function addressOf(record: SlotRecord | undefined): string | undefined {
  return record !== undefined && (isHeld(record) || isTerminal(record.state)) ? record.address : undefined
}
