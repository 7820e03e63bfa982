/** The budget of a run, watched by its follower: a run that has used it up is stopped. Its last snapshot is kept, and its end says why. */
import { messageOf } from '../../lib/text.ts'
import { machineHours, spentBy, usedUp } from '../../wire/budget.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, requestStop } from '../deployment.ts'

/** Milliseconds between two questions for the price, which costs calls. */
const ASK = 5 * 60_000

export class BudgetWatch {
  readonly #engine: Engine
  readonly #d: Deployment
  readonly #spec: Spec
  #price: number | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #stopped = false
  /** Hours that are counted, and USD that they have cost: each hour at the price of its time, as far as that was seen. */
  #hours: number | undefined
  #spent = 0
  /** The same hours by the prices of the start, as machines count them. */
  #byStart = 0

  constructor(engine: Engine, d: Deployment, spec: Spec) {
    this.#engine = engine
    this.#d = d
    this.#spec = spec
  }

  /** Resolves to what there is to report. */
  async look(slots: readonly SlotRecord[]): Promise<string | undefined> {
    const budget = this.#spec.mode === 'task' ? this.#spec.budget : undefined
    if (!budget || this.#stopped || slots.every(({ state }) => isTerminal(state))) return undefined
    const at = this.#engine.clock.date().toISOString()
    const price = await this.#known()
    const [hours, byStart] = [machineHours(slots, at), spentBy(budget, slots, at)]
    // Without a current price, and for the time before this follower came, it is counted as machines count it.
    const uncounted = price === undefined || this.#hours === undefined
    this.#spent += uncounted ? byStart - this.#byStart : (hours - (this.#hours ?? 0)) * price
    this.#hours = hours
    this.#byStart = byStart
    const by = usedUp(budget, this.#spent)
    if (by === undefined) return undefined
    await requestStop(this.#d, { at, by })
    this.#stopped = true
    return `the budget is used up (${by}): the run is stopped, and its last checkpoint stays`
  }

  /** The current price of the present machines; `undefined` if the cloud does not say. */
  async #known(): Promise<number | undefined> {
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
