/** A command's clock on which waits for a forge end at once; all other waits take their time. */
import type { Clock } from '../../src/core/cloud.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'

/** Waits for a forge are recognized by their signals: they obey only those of the command. */
export class ImpatientClock {
  readonly #longer: number
  #ahead = 0

  /** Milliseconds: shorter waits are really waited for. */
  constructor(longer = 0) {
    this.#longer = longer
  }

  readonly now = (): number => systemClock.now() + this.#ahead
  readonly date = (): Date => new Date(systemClock.date().getTime() + this.#ahead)

  /** Milliseconds of skipped waits. */
  get ahead(): number {
    return this.#ahead
  }

  /** Gives the clock to a command. */
  readonly given = (context: VerbContext): VerbContext => ({ ...context, engine: { ...context.engine, clock: this.#of(context) } })

  #of({ signals: { first } }: VerbContext): Clock {
    const { now, date } = this
    return { now, date, sleep: async (milliseconds, signal) => this.#sleep(milliseconds, signal, signal === first) }
  }

  async #sleep(milliseconds: number, signal: AbortSignal | undefined, forTheForge: boolean): Promise<void> {
    if (!forTheForge || milliseconds < this.#longer) return systemClock.sleep(milliseconds, signal)
    signal?.throwIfAborted()
    const due = this.now() + milliseconds
    // All others that wait until then continue at the same time.
    await new Promise((resolve) => setImmediate(resolve))
    this.#ahead = Math.max(this.#ahead, due - systemClock.now())
  }
}
