/** What ends a follower although slots are open: the run is being removed or moves, or its maker is dead. Then nobody may close the slots. */
import { RemoteError } from '../../core/errors.ts'
import { Staleness } from '../../lib/staleness.ts'
import { removalOf } from '../../wire/incarnation.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, readCurrent, wentOn } from '../deployment.ts'
import { tooLate } from '../destroy/removed.ts'
import type { SlotWatch } from './close.ts'

/** The command that was creating the run has stopped before the run was complete. */
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
   * Throws `TooLate` if the run is being removed, or `UnfinishedCreation` if it is still being made, once there was no sign of life for one TTL: not
   * from any machine, and not from whoever removes or makes it. Throws `TooLate` at once if the run goes on in another region. The record costs a
   * call, so it is read only while all machines are silent, or while nothing has run yet, because only then a run can move.
   */
  async look(slots: readonly SlotRecord[], now: number): Promise<void> {
    const { ttl } = this.#spec.lease
    // `map`, because `every` would stop at the first slot, and the silence of each has to be measured.
    const silent = slots.map((slot) => isTerminal(slot.state) || this.#slotWatch.silentFor(slot, now) >= ttl).every(Boolean)
    const waits = slots.every(({ epoch }) => epoch === 0)
    if (!silent && !waits) return
    const current = (await readCurrent(this.#d.store, this.#d.id))?.value
    if (current?.state === 'open' && wentOn(current, this.#d)) throw await this.#tooLate()
    if (!silent) return
    if (this.#unchanged.for(this.#d.id, current?.nonce, now) < Math.max(ttl, current?.ttl ?? 0)) return
    if (removalOf(current, this.#d.incarnation) !== undefined) throw await this.#tooLate()
    if (current?.state !== 'making') return
    throw new UnfinishedCreation(`run "${this.#d.name}": the command that was creating it has stopped before it was complete`, {
      hint: `start it again, or remove what it left: \`tpi destroy ${this.#d.name}\``,
    })
  }

  async #tooLate(): Promise<Error> {
    return tooLate(this.#engine, this.#d, { createdAt: this.#spec.createdAt })
  }
}
