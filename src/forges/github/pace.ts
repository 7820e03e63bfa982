/** Limits calls that change something to as many as GitHub documents that it accepts. Those that only read are far from any limit. */
import { RemoteError } from '../../core/errors.ts'
import type { ForgeContext } from '../../core/forge.ts'
import { formatDuration } from '../../lib/duration.ts'
import { ANNOUNCED } from '../outage.ts'

interface Window {
  /** Milliseconds. */
  readonly span: number
  /** What is counted, for people, after a number. */
  readonly what: string
  /** So many does GitHub accept. */
  readonly takes: number
  /** tpi's share: the rest is for others with the same token. */
  readonly most: number
  counts(method: string): boolean
}

/**
 * GitHub limits "content-generating requests". A removal generates none, but costs 5 of the 900 points a minute, too, and never has to wait for long.
 * Source: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 */
const WINDOWS: readonly Window[] = [
  { span: 60_000, what: 'changes a minute', takes: 80, most: 75, counts: () => true },
  { span: 3_600_000, what: 'creations an hour', takes: 500, most: 475, counts: (method) => method !== 'DELETE' },
]
const LONGEST = Math.max(...WINDOWS.map(({ span }) => span))
/** Milliseconds: a shorter wait is not worth a message. */
const NEWS = 2000

interface Change {
  readonly method: string
  readonly at: number
}

/** For one open forge: it does not know what others do with the same token. */
export class Pace {
  readonly #context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>
  /** The latest changes, oldest first, at the time of their answers: by then GitHub has certainly counted them. */
  #made: Change[] = []
  readonly #underWay: string[] = []
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(context: Pick<ForgeContext, 'clock' | 'log' | 'signal' | 'until'>) {
    this.#context = context
  }

  /** Resolves when one more call may be made, after which `over` must be called. Rejects at once if that is later than a call may wait. */
  async turn(method: string): Promise<void> {
    const { clock, log, signal, until } = this.#context
    const begun = clock.now()
    for (;;) {
      const now = clock.now()
      this.#made = this.#made.filter(({ at }) => now - at < LONGEST)
      const full = this.#full(method, now)
      if (!full) return void this.#underWay.push(method)
      const { window, wait } = full
      const had = `GitHub accepts ${window.takes} ${window.what}, and has had ${window.most}`
      const when = formatDuration(Math.ceil(wait / 1000))
      if (now + wait > Math.max(begun + ANNOUNCED, until ?? 0))
        throw new RemoteError(`${had}: the next may follow in ${when}, which is longer than tpi waits`, { hint: 'ask for fewer at a time' })
      if (wait > NEWS && now - this.#saidAt > NEWS) {
        log.info(`${had}: going on in ${when}`)
        this.#saidAt = now
      }
      await clock.sleep(wait, signal)
    }
  }

  /** Of the limits that are used up, the one that stays so for longest. */
  #full(method: string, now: number): { readonly window: Window; readonly wait: number } | undefined {
    return WINDOWS.flatMap((window) => {
      if (!window.counts(method)) return []
      const made = this.#made.filter((one) => window.counts(one.method) && now - one.at < window.span)
      const underWay = this.#underWay.filter((one) => window.counts(one)).length
      return made.length + underWay < window.most ? [] : [{ window, wait: (made[0]?.at ?? now) + window.span - now }]
    }).toSorted((a, b) => b.wait - a.wait)[0]
  }

  over(method: string): void {
    this.#underWay.splice(this.#underWay.indexOf(method), 1)
    this.#made.push({ method, at: this.#context.clock.now() })
  }
}
