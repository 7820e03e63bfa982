/** The time of a simulated cloud: set by hand (virtual), or the computer's own with jumps forward. Events happen in the order of their times. */

export interface CloudClock {
  now(): number
  /** Runs `action` at that time; the returned function cancels it. */
  at(time: number, action: () => void): () => void
  /** Moves the time forward: everything that is due meanwhile happens at its own time, and its effects settle before the next event. */
  skip(milliseconds: number): Promise<void>
  stop(): void
}

interface Due {
  readonly time: number
  readonly action: () => void
}

/** A time that moves only by `skip`. `rest`: resolves when everything that takes no time is done. */
export function virtualClock(start = Date.parse('2026-11-02T09:00:00Z'), rest?: () => Promise<void>): CloudClock {
  return new Agenda(() => start, false, rest)
}

/** The computer's time. `skip` makes schedules of hours come true. */
export function realClock(): CloudClock {
  return new Agenda(Date.now, true)
}

class Agenda implements CloudClock {
  readonly #base: () => number
  readonly #runs: boolean
  #ahead = 0
  #list: Due[] = []
  #timer: NodeJS.Timeout | undefined

  readonly #rest: () => Promise<void>

  constructor(base: () => number, runs: boolean, rest = settled) {
    this.#base = base
    this.#runs = runs
    this.#rest = rest
  }

  now(): number {
    return this.#base() + this.#ahead
  }

  at(time: number, action: () => void): () => void {
    const due: Due = { time, action }
    const after = this.#list.findIndex((other) => other.time > time)
    this.#list.splice(after < 0 ? this.#list.length : after, 0, due)
    this.#arm()
    return () => void (this.#list = this.#list.filter((other) => other !== due))
  }

  async skip(milliseconds: number): Promise<void> {
    const goal = this.now() + milliseconds
    for (;;) {
      await this.#rest()
      const next = this.#list[0]
      if (!next || next.time > goal) break
      this.#ahead += Math.max(0, next.time - this.now())
      this.#fire()
    }
    this.#ahead += Math.max(0, goal - this.now())
    this.#arm()
  }

  stop(): void {
    this.#list = []
    clearTimeout(this.#timer)
  }

  #fire(): void {
    while (this.#list[0] && this.#list[0].time <= this.now()) this.#list.shift()?.action()
    this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const [next] = this.#list
    if (!this.#runs || !next) return
    this.#timer = setTimeout(() => this.#fire(), Math.min(Math.max(0, next.time - this.now()), 60_000)).unref()
  }
}

/** Waits for all promises that are due, so that each step of the simulation takes effect before the next one. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve))
}
