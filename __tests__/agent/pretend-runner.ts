/**
 * A runner, its forge and the network between them, on a clock that moves only while somebody waits: what would take milliseconds to minutes happens
 * at once, in an order that the seed decides. Base class of the runners of both forges.
 */

import type { Exit } from '../../src/agent/process/script.ts'
import type { RunnerSight } from '../../src/agent/runner/jobs.ts'
import type { Freeze } from '../../src/snapshot/types.ts'
import type { Random } from '../storm/random.ts'

interface Event {
  readonly at: number
  readonly act: () => void
}

export type JobState = 'queued' | 'offered' | 'taken' | 'done' | 'killed'

/** Milliseconds after which a forge has noticed how a runner and its job ended. */
const GRACE = 2 * 60_000

export abstract class PretendRunner {
  protected readonly random: Random
  readonly #events: Event[] = []
  /** What it would have done while it was held. */
  #held: (() => void)[] = []
  #now = 0
  /** Milliseconds of processor time. */
  #used = 0
  protected frozen = false
  protected dead = false
  #end: (exit: Exit) => void = () => undefined
  readonly exit = new Promise<Exit>((resolve) => (this.#end = resolve))
  job: JobState = 'queued'
  /** How often it was held and resumed. */
  resumed = 0
  /** How often it was held. */
  holds = 0
  /** The forge offered the job, or counted it as picked up, while the runner was held. */
  offeredWhileHeld = false

  protected constructor(random: Random) {
    this.random = random
  }

  readonly clock = {
    now: () => this.#now,
    sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      signal?.throwIfAborted()
      // Timers of a busy host are late.
      this.#pass(milliseconds + (this.random.chance(0.1) ? this.random.between(0, 400) : this.random.between(0, 3)))
      await new Promise((resolve) => setImmediate(resolve))
    },
  }

  /** What the runner's supervisor can see of it. Each look takes time, in which everything else goes on. */
  readonly sight: RunnerSight = {
    jobs: async () => {
      this.#dawdle()
      return this.journal()
    },
    over: async () => undefined,
    working: () => {
      this.#dawdle()
      return this.working()
    },
    effort: () => {
      this.#dawdle()
      return this.#used
    },
  }

  /** What its hooks have written. */
  protected abstract journal(): Awaited<ReturnType<RunnerSight['jobs']>>
  protected abstract working(): boolean

  readonly freeze: Freeze = {
    stop: async () => {
      this.#dawdle()
      this.frozen = true
      this.holds++
    },
    resume: async () => {
      this.frozen = false
      this.resumed++
      const held = this.#held
      this.#held = []
      for (const act of held) this.own(this.random.between(0, 2), act)
    },
  }

  /** What the agent does when the machine leaves; afterwards the forge notices how the job ended. */
  kill(): void {
    this.#dawdle()
    this.dead = true
    if (this.job === 'taken') this.job = 'killed'
    this.#pass(GRACE)
  }

  #dawdle(): void {
    this.#pass(this.random.chance(0.05) ? this.random.between(5, 150) : this.random.between(0, 4))
  }

  #pass(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (;;) {
      let next = -1
      for (const [at, event] of this.#events.entries())
        if (event.at <= end && (next < 0 || event.at < (this.#events[next]?.at ?? 0))) next = at
      const [event] = next < 0 ? [] : this.#events.splice(next, 1)
      if (!event) break
      this.#now = Math.max(this.#now, event.at)
      event.act()
    }
    this.#now = end
  }

  protected at(delay: number, act: () => void): void {
    this.#events.push({ at: this.#now + delay, act })
  }

  /** An action of the runner's processes: postponed while they are held, dropped once they are dead. */
  protected own(delay: number, act: () => void): void {
    this.at(delay, () => {
      if (this.dead) return
      if (this.frozen) this.#held.push(act)
      else act()
    })
  }

  /** Uses the processor for a while, in short turns, and goes on. */
  protected work(milliseconds: number, then: () => void): void {
    if (milliseconds <= 0) return then()
    this.own(this.random.between(0.5, 2.5), () => {
      this.#used += Math.min(0.5, milliseconds)
      this.work(milliseconds - 0.5, then)
    })
  }

  /** Milliseconds that a message takes. */
  protected latency(): number {
    return this.random.chance(0.1) ? this.random.between(200, 900) : this.random.between(2, 120)
  }

  protected use(milliseconds: number): void {
    this.#used += milliseconds
  }

  protected leave(): void {
    this.dead = true
    this.#end({ code: 0 })
  }
}
