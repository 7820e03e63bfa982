/** How long something has not changed, or was waited for, by the watcher's own monotonic clock: clocks of two hosts are never compared. */

interface Seen {
  readonly mark: string | undefined
  readonly since: number
  readonly moved: boolean
}

export class Staleness<K = string> {
  readonly #seen = new Map<K, Seen>()

  /**
   * Milliseconds for which this watcher has seen `what` with this mark (a nonce, a version; `undefined`: it does not exist). `now`: the clock
   * before the look, so that a slow answer does not count as silence.
   */
  for(what: K, mark: string | undefined, now: number): number {
    const before = this.#seen.get(what)
    if (before && before.mark === mark) return now - before.since
    this.#seen.set(what, { mark, since: now, moved: before !== undefined })
    return 0
  }

  /** It has changed while it was watched. */
  hasMoved(what: K): boolean {
    return this.#seen.get(what)?.moved === true
  }
}

/**
 * For a loop that waits for signs of life: if the loop itself stood still, the computer has slept, and so has whoever it listens to. Needed where
 * the process's clock goes on meanwhile, as on macOS (`mach_continuous_time` in libuv).
 */
export class Awake {
  readonly #longest: number
  #looked: number
  #since = Number.NEGATIVE_INFINITY

  /** `longest`: milliseconds between two looks of a loop that has not slept. */
  constructor(longest: number, now: number) {
    this.#longest = longest
    this.#looked = now
  }

  /** How much of a silence that lasts until `now` this loop has heard since it last woke up. To be asked at every look. */
  heard(silence: number, now: number): number {
    if (now - this.#looked > this.#longest) this.#since = now
    this.#looked = now
    return Math.min(silence, now - this.#since)
  }
}

/** Milliseconds between the ends of two tries, of which one takes some minutes at most: after more, the computer has slept. */
const ASLEEP = 5 * 60_000
/** Milliseconds as which that counts: a try that really takes so long must not be repeated for ever. */
const MOMENT = 30_000

/** How long something has been waited for, as far as this computer was awake: after hours of sleep, its network needs a moment, too. */
export class Waited {
  readonly #clock: { now(): number }
  #last: number
  #sum = 0

  constructor(clock: { now(): number }) {
    this.#clock = clock
    this.#last = clock.now()
  }

  /** Milliseconds until now; to be asked after each try. */
  get time(): number {
    const now = this.#clock.now()
    const passed = now - this.#last
    this.#sum += passed < ASLEEP ? passed : MOMENT
    this.#last = now
    return this.#sum
  }
}
