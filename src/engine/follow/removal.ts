/** A removal that nobody goes on with, as its followers see it: slots are open that nobody may close any more. */
import { Unchanged } from '../../lib/unchanged.ts'
import { removalOf } from '../../wire/incarnation.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import type { Deployment } from '../deployment.ts'
import { readCurrent } from '../find.ts'
import type { Silence } from './close.ts'

export class Removal {
  readonly #d: Deployment
  readonly #spec: Spec
  readonly #silence: Silence
  readonly #unchanged = new Unchanged()

  constructor(d: Deployment, spec: Spec, silence: Silence) {
    this.#d = d
    this.#spec = spec
    this.#silence = silence
  }

  /** Nothing came for one TTL from any machine, nor from whoever removes it. The record is read only when the machines are silent. */
  async isLeft(slots: readonly SlotRecord[], now: number): Promise<boolean> {
    const { ttl } = this.#spec.lease
    const silent = slots.map((slot) => isTerminal(slot.state) || this.#silence.silentFor(slot, now) >= ttl)
    if (!silent.every(Boolean)) return false
    const current = (await readCurrent(this.#d.store, this.#d.id))?.value
    const unchanged = this.#unchanged.for(this.#d.id, current?.nonce, now)
    return removalOf(current, this.#d.incarnation) !== undefined && unchanged >= Math.max(ttl, current?.ttl ?? 0)
  }
}
