/**
 * GitHub's runner. Its steps and their order are those that GitHub documents. Two things are assumed: taking a job costs it at least 6 ms of
 * processor time, and the forge answers within two seconds.
 */
import { jobsIn } from '../../src/agent/runner/jobs.ts'
import type { Random } from '../storm/random.ts'
import { PretendRunner } from './pretend-runner.ts'

/** Milliseconds until the forge gives a job that was not picked up to another runner. */
const REQUEUE = 60_000

export class PretendGithub extends PretendRunner {
  #journal = ''
  #worker = false
  /** Milliseconds from taking a job to its first hook. */
  readonly #hookLate: number

  /** Milliseconds until GitHub confirms that the runner has the job, including repeated requests if one failed. */
  readonly #answer: () => number

  /** `arrival`: milliseconds after which the job comes. */
  constructor(random: Random, arrival: number, answer?: () => number) {
    super(random)
    this.#answer = answer ?? (() => this.latency())
    this.#hookLate = random.chance(0.3) ? random.between(500, 8000) : random.between(5, 200)
    this.at(arrival, () => this.#offer())
    this.#breathe()
  }

  protected journal(): ReturnType<typeof jobsIn> {
    return jobsIn(this.#journal, 1)
  }

  protected working(): boolean {
    return this.#worker
  }

  /** A runner's work while it waits: little, sometimes more. */
  #breathe(): void {
    this.own(this.random.between(20, 1500), () => {
      this.use(this.random.chance(0.02) ? this.random.between(2, 9) : this.random.between(0, 0.7))
      this.#breathe()
    })
  }

  #offer(): void {
    if (this.dead) return
    this.job = 'offered'
    this.offeredWhileHeld ||= this.frozen
    this.at(REQUEUE, () => this.job === 'offered' && (this.job = 'queued'))
    this.own(this.latency(), () => this.work(this.random.between(6, 40), () => this.#take()))
  }

  /** Once the request is sent, it takes the job even if the runner is held. */
  #take(): void {
    this.at(this.latency(), () => {
      if (this.job !== 'offered') return
      // A runner that died meanwhile has taken the job all the same.
      this.job = this.dead ? 'killed' : 'taken'
      this.own(this.#answer(), () => this.work(this.random.between(6, 30), () => this.#serve()))
    })
  }

  #serve(): void {
    this.#worker = true
    this.work(this.random.between(10, 60), () =>
      this.own(this.#hookLate, () => {
        this.#journal += '+ 2030-01-01T00:00:00Z run=1\n'
        this.own(this.random.between(0, 4000), () => this.#finish())
      }),
    )
  }

  #finish(): void {
    this.#journal += '- 2030-01-01T00:00:01Z\n'
    this.work(this.random.between(2, 10), () =>
      this.own(this.latency(), () => {
        this.job = 'done'
        this.#worker = false
        this.own(this.random.between(1, 300), () => {
          this.leave()
        })
      }),
    )
  }
}
