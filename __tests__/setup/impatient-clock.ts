/** A command's clock on which waits for a forge are over at once; all others take their time. */
import type { Clock } from '../../src/core/cloud.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'

/** What waits for a forge heeds the signals of the command and nothing else: by that such waits are known among all others. */
export class ImpatientClock {
  readonly #longer: number
  #ahead = 0

  /** Milliseconds: shorter waits are worth waiting for. */
  constructor(longer = 0) {
    this.#longer = longer
  }

  readonly now = (): number => systemClock.now() + this.#ahead
  readonly date = (): Date => new Date(systemClock.date().getTime() + this.#ahead)

  /** Milliseconds that nobody had to wait. */
  get ahead(): number {
    return this.#ahead
  }

  /** To be given to a command. */
  readonly given = (context: VerbContext): VerbContext => ({ ...context, engine: { ...context.engine, clock: this.#of(context) } })

  #of({ signals: { first } }: VerbContext): Clock {
    const { now, date } = this
    return { now, date, sleep: async (milliseconds, signal) => this.#sleep(milliseconds, signal, signal === first) }
  }

  async #sleep(milliseconds: number, signal: AbortSignal | undefined, forTheForge: boolean): Promise<void> {
    if (!forTheForge || milliseconds < this.#longer) return systemClock.sleep(milliseconds, signal)
    signal?.throwIfAborted()
    const due = this.now() + milliseconds
    // Whoever else waits until then comes along.
    await new Promise((resolve) => setImmediate(resolve))
    this.#ahead = Math.max(this.#ahead, due - systemClock.now())
  }
}
