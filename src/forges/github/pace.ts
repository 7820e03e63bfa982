/** Calls that change something, no more of them than GitHub documents that it takes. Those that only read are far from any limit. */
import type { ForgeContext } from '../../core/forge.ts'
import { formatDuration } from '../../lib/duration.ts'

const MINUTE = 60_000
/** GitHub takes 80 a minute ("content-generating requests") and, at 5 points each, 180 of one kind; the rest is for others with the same token. */
const MOST = 75
/** Milliseconds: a shorter wait is nobody's news. */
const NEWS = 2000

/** Of one forge that was opened: others with the same token are not known to it. */
export class Pace {
  readonly #context: Pick<ForgeContext, 'clock' | 'log' | 'signal'>
  /** When the latest ones were answered, oldest first: by then GitHub had counted them, however long they were on their way. */
  #made: number[] = []
  #underWay = 0
  #told = Number.NEGATIVE_INFINITY

  constructor(context: Pick<ForgeContext, 'clock' | 'log' | 'signal'>) {
    this.#context = context
  }

  /** Resolves when one more may be made; `over` is to follow. */
  async turn(): Promise<void> {
    const { clock, log, signal } = this.#context
    for (;;) {
      const now = clock.now()
      this.#made = this.#made.filter((at) => now - at < MINUTE)
      if (this.#made.length + this.#underWay < MOST) return void this.#underWay++
      const wait = (this.#made[0] ?? now) + MINUTE - now
      if (wait > NEWS && now - this.#told > NEWS) {
        log.info(`GitHub takes 80 changes a minute, and has had ${MOST}: going on in ${formatDuration(Math.ceil(wait / 1000))}`)
        this.#told = now
      }
      await clock.sleep(wait, signal)
    }
  }

  over(): void {
    this.#underWay--
    this.#made.push(this.#context.clock.now())
  }
}
