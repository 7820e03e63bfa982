/** The budget of a run (`max-cost`), watched by a follower: a run that has used it up is stopped, and its last snapshot is kept. */
import { messageOf } from '../../lib/text.ts'
import { machineHours, spentBy, usedUp } from '../../wire/budget.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, requestStop } from '../deployment.ts'

/** Milliseconds between two questions for the price; each costs calls. */
const ASK = 5 * 60_000

export class BudgetWatch {
  readonly #engine: Engine
  readonly #d: Deployment
  readonly #spec: Spec
  #price: number | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #stopped = false
  /** Machine hours that are counted; absent before the first look. */
  #hours: number | undefined
  /** USD that these have cost: each hour at the price that was seen at its time. */
  #spent = 0
  /** USD that the same hours cost by the prices of the start, as machines count them. */
  #byStart = 0

  constructor(engine: Engine, d: Deployment, spec: Spec) {
    this.#engine = engine
    this.#d = d
    this.#spec = spec
  }

  /** To be called at each look. Requests the stop; resolves to what the user is told about it, once. */
  async look(slots: readonly SlotRecord[]): Promise<string | undefined> {
    const budget = this.#spec.mode === 'task' ? this.#spec.budget : undefined
    if (!budget || this.#stopped || slots.every(({ state }) => isTerminal(state))) return undefined
    const at = this.#engine.clock.date().toISOString()
    const price = await this.#priceNow()
    const hours = machineHours(slots, at)
    const byStart = spentBy(budget, slots, at)
    // Without a current price, and for the time before this follower came, the prices of the start count.
    if (price === undefined || this.#hours === undefined) this.#spent += byStart - this.#byStart
    else this.#spent += (hours - this.#hours) * price
    this.#hours = hours
    this.#byStart = byStart
    const by = usedUp(budget, this.#spent)
    if (by === undefined) return undefined
    await requestStop(this.#d, { at, by })
    this.#stopped = true
    return `the budget is used up (${by}): the run is stopped, and its last checkpoint stays`
  }

  /** USD that a machine costs per hour now; `undefined` if the cloud does not say. */
  async #priceNow(): Promise<number | undefined> {
    const now = this.#engine.clock.now()
    if (now - this.#askedAt < ASK) return this.#price
    this.#askedAt = now
    this.#price = await this.#d.cloud.price?.(this.#d).catch((error: unknown) => {
      this.#engine.host.debug(`the price is not known: ${messageOf(error)}`)
      return this.#price
    })
    return this.#price
  }
}
