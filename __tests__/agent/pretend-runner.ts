/**
 * A runner, its forge and the network between them, all on a clock that only moves while somebody waits: what takes milliseconds to minutes
 * happens at once, in an order that a seed decides. Each forge's runner is one of these.
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

/** Milliseconds after which a forge has noticed what became of a runner and its job. */
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
  /** Times that it was held and let go again. */
  resumed = 0
  /** Times that it was held. */
  holds = 0
  /** The forge took the job for picked up, or offered it, while the runner was held. */
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

  /** What its own supervisor can see of it: every look takes its time, in which the rest of the world goes on. */
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

  /** By its hooks. */
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

  /** What the agent does with a machine that leaves; the forge notices what became of the job. */
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

  /** Something that the runner's processes do: not while they are held, never once they are dead. */
  protected own(delay: number, act: () => void): void {
    this.at(delay, () => {
      if (this.dead) return
      if (this.frozen) this.#held.push(act)
      else act()
    })
  }

  /** Uses the processor for a while, now and then giving it up, and goes on. */
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
