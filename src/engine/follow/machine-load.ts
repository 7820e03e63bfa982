/** The current load of machines, for a user who watches a run: read beside the looks, which do not wait for it. */
import { decodeSamples, type Sample } from '../../wire/sample.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Deployment } from '../deployment.ts'
import { CHARTED } from './samples.ts'

/** Milliseconds between two readings. */
const ASK = 5000

export class Load {
  readonly #d: Deployment
  readonly #known = new Map<number, { readonly key: string; readonly sample: Sample | undefined }>()
  #askedAt = Number.NEGATIVE_INFINITY
  #busy = false

  constructor(d: Deployment) {
    this.#d = d
  }

  /** The newest known sample of a slot. */
  of(index: number): Sample | undefined {
    return this.#known.get(index)?.sample
  }

  /** Begins to read the newest samples, if it is time for that. */
  look(slots: readonly SlotRecord[], now: number): void {
    if (this.#busy || now - this.#askedAt < ASK) return
    this.#askedAt = now
    this.#busy = true
    const running = slots.filter(({ state }) => !isTerminal(state)).slice(0, CHARTED)
    void Promise.allSettled(running.map(({ index }) => this.#read(index))).then(() => (this.#busy = false))
  }

  async #read(index: number): Promise<void> {
    const before = this.#known.get(index)
    let last = before?.key
    for await (const { key } of this.#d.store.list(this.#d.keys.slot(index).metrics, last)) last = key
    if (last === undefined || last === before?.key) return
    const object = await this.#d.store.read(last)
    const sample = object && decodeSamples(object.bytes).at(-1)
    this.#known.set(index, { key: last, sample: sample ?? before?.sample })
  }
}
