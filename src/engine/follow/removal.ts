/** An abandoned removal or creation, from its followers' point of view: its slots are open, and nobody may close them. */
import { RemoteError } from '../../core/errors.ts'
import { Staleness } from '../../lib/staleness.ts'
import { removalOf } from '../../wire/incarnation.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, wentOn } from '../deployment.ts'
import { tooLate } from '../destroy/removed.ts'
import { readCurrent } from '../find.ts'
import type { SlotWatch } from './close.ts'

/** Its maker has stopped before it was complete. */
export class UnfinishedCreation extends RemoteError {}

export class Removal {
  readonly #engine: Engine
  readonly #d: Deployment
  readonly #spec: Spec
  readonly #slotWatch: SlotWatch
  readonly #unchanged = new Staleness()

  constructor(engine: Engine, d: Deployment, spec: Spec, slotWatch: SlotWatch) {
    this.#engine = engine
    this.#d = d
    this.#spec = spec
    this.#slotWatch = slotWatch
  }

  /**
   * Throws `TooLate` or `UnfinishedCreation` if there was no sign of life for one TTL from any machine, nor from its maker or remover; and
   * `TooLate` at once if the run goes on in another region, which it may before anything has run. The record is read only then, and when
   * the machines are silent.
   */
  async look(slots: readonly SlotRecord[], now: number): Promise<void> {
    const { ttl } = this.#spec.lease
    const silent = slots.map((slot) => isTerminal(slot.state) || this.#slotWatch.silentFor(slot, now) >= ttl).every(Boolean)
    const waits = slots.every(({ epoch }) => epoch === 0)
    if (!silent && !waits) return
    const current = (await readCurrent(this.#d.store, this.#d.id))?.value
    if (current?.state === 'open' && wentOn(current, this.#d)) throw await tooLate(this.#engine, this.#d)
    if (!silent) return
    if (this.#unchanged.for(this.#d.id, current?.nonce, now) < Math.max(ttl, current?.ttl ?? 0)) return
    if (removalOf(current, this.#d.incarnation) !== undefined) throw await tooLate(this.#engine, this.#d)
    if (current?.state !== 'making') return
    throw new UnfinishedCreation(`run "${this.#d.name}": the command that was creating it has stopped before it was complete`, {
      hint: `start it again, or remove what it left: \`tpi destroy ${this.#d.name}\``,
    })
  }
}
