/**
 * A runner, its forge and the network between them, all on a clock that only moves while somebody waits: what takes milliseconds to minutes
 * happens at once, in an order that a seed decides. What it does and in which order is what GitHub's runner is documented to do; that taking
 * a job up costs it 6 ms of processor time or more, and an answer of the forge comes within two seconds, is assumed.
 */
import { jobsIn, type RunnerSight } from '../../src/agent/runner-jobs.ts'
import type { Exit } from '../../src/agent/script.ts'
import type { Freeze } from '../../src/snapshot/types.ts'
import type { Random } from '../storm/random.ts'

interface Event {
  readonly at: number
  readonly act: () => void
}

export type JobState = 'queued' | 'offered' | 'taken' | 'done' | 'killed'

/** Milliseconds until the forge gives a job that was not picked up to another runner. */
const REQUEUE = 60_000

export class PretendRunner {
  readonly #random: Random
  readonly #events: Event[] = []
  /** What it would have done while it was held. */
  #held: (() => void)[] = []
  #now = 0
  #used = 0
  #journal = ''
  #worker = false
  #frozen = false
  #dead = false
  #end: (exit: Exit) => void = () => undefined
  readonly exit = new Promise<Exit>((resolve) => (this.#end = resolve))
  job: JobState = 'queued'
  /** Times that it was held and let go again. */
  resumed = 0
  /** Times that it was held. */
  holds = 0
  /** The forge took the job for picked up, or offered it, while the runner was held. */
  offeredWhileHeld = false
  /** Milliseconds that a job which was taken has waited for its first hook. */
  readonly #hookLate: number

  constructor(random: Random, arrival: number) {
    this.#random = random
    this.#hookLate = random.chance(0.3) ? random.between(500, 8000) : random.between(5, 200)
    this.#at(arrival, () => this.#offer())
    this.#breathe()
  }

  readonly clock = {
    now: () => this.#now,
    sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      signal?.throwIfAborted()
      // Timers of a busy host are late.
      this.#pass(milliseconds + (this.#random.chance(0.1) ? this.#random.between(0, 400) : this.#random.between(0, 3)))
      await new Promise((resolve) => setImmediate(resolve))
    },
  }

  /** Every look takes its time, in which the rest of the world goes on. */
  readonly sight: RunnerSight = {
    jobs: async () => {
      this.#dawdle()
      return jobsIn(this.#journal, 1)
    },
    working: () => {
      this.#dawdle()
      return this.#worker
    },
    effort: () => {
      this.#dawdle()
      return this.#used
    },
  }

  readonly freeze: Freeze = {
    stop: async () => {
      this.#dawdle()
      this.#frozen = true
      this.holds++
    },
    resume: async () => {
      this.#frozen = false
      this.resumed++
      const held = this.#held
      this.#held = []
      for (const act of held) this.#own(this.#random.between(0, 2), act)
    },
  }

  /** What the agent does with a machine that leaves; the forge notices what became of the job. */
  kill(): void {
    this.#dawdle()
    this.#dead = true
    if (this.job === 'taken') this.job = 'killed'
    this.#pass(2 * REQUEUE)
  }

  #dawdle(): void {
    this.#pass(this.#random.chance(0.05) ? this.#random.between(5, 150) : this.#random.between(0, 4))
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

  #at(delay: number, act: () => void): void {
    this.#events.push({ at: this.#now + delay, act })
  }

  /** Something that the runner's processes do: not while they are held, never once they are dead. */
  #own(delay: number, act: () => void): void {
    this.#at(delay, () => {
      if (this.#dead) return
      if (this.#frozen) this.#held.push(act)
      else act()
    })
  }

  /** Uses the processor for a while, now and then giving it up, and goes on. */
  #work(milliseconds: number, then: () => void): void {
    if (milliseconds <= 0) return then()
    this.#own(this.#random.between(0.5, 2.5), () => {
      this.#used += Math.min(0.5, milliseconds)
      this.#work(milliseconds - 0.5, then)
    })
  }

  /** What a runner does beside waiting: little, at times more. */
  #breathe(): void {
    this.#own(this.#random.between(20, 1500), () => {
      this.#used += this.#random.chance(0.02) ? this.#random.between(2, 9) : this.#random.between(0, 0.7)
      this.#breathe()
    })
  }

  #latency(): number {
    return this.#random.chance(0.1) ? this.#random.between(200, 900) : this.#random.between(2, 120)
  }

  #offer(): void {
    if (this.#dead) return
    this.job = 'offered'
    this.offeredWhileHeld ||= this.#frozen
    this.#at(REQUEUE, () => this.job === 'offered' && (this.job = 'queued'))
    this.#own(this.#latency(), () => this.#work(this.#random.between(6, 40), () => this.#take()))
  }

  /** The request is on its way: from here on nobody can hold it back. */
  #take(): void {
    this.#at(this.#latency(), () => {
      if (this.job !== 'offered') return
      // Whoever died in between took it all the same.
      this.job = this.#dead ? 'killed' : 'taken'
      this.#own(this.#latency(), () => this.#work(this.#random.between(6, 30), () => this.#serve()))
    })
  }

  #serve(): void {
    this.#worker = true
    this.#work(this.#random.between(10, 60), () =>
      this.#own(this.#hookLate, () => {
        this.#journal += '+ 2030-01-01T00:00:00Z run=1\n'
        this.#own(this.#random.between(0, 4000), () => this.#finish())
      }),
    )
  }

  #finish(): void {
    this.#journal += '- 2030-01-01T00:00:01Z\n'
    this.#work(this.#random.between(2, 10), () =>
      this.#own(this.#latency(), () => {
        this.job = 'done'
        this.#worker = false
        this.#own(this.#random.between(1, 300), () => {
          this.#dead = true
          this.#end({ code: 0 })
        })
      }),
    )
  }
}
