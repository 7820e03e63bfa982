/**
 * GitLab's runner, after the documentation and the source of `run-single`: it asks for jobs, keeps the idle clock itself, and looks at it only
 * between two requests.
 */
import type { Random } from '../storm/random.ts'
import { PretendRunner } from './pretend-runner.ts'

/** Milliseconds between two requests for a job. */
const CHECK = 3000

export class PretendGitlab extends PretendRunner {
  /** Milliseconds without a job after which it leaves. */
  readonly #wait: number
  #waiting = false
  #since = 0

  constructor(random: Random, arrival: number, idle: number) {
    super(random)
    this.#wait = idle * 1000
    this.at(arrival, () => (this.#waiting = true))
    this.own(random.between(0, CHECK), () => this.#ask())
  }

  /** It has no hooks, and no process that shows that a job is running: jobs are its children. */
  protected journal(): [] {
    return []
  }

  protected working(): boolean {
    return false
  }

  #ask(): void {
    this.work(this.random.between(0.5, 3), () =>
      // A job that GitLab hands out is taken from then on, even if the answer is lost.
      this.at(this.latency(), () => {
        const given = this.#waiting && this.job === 'queued'
        if (given) this.job = this.dead ? 'killed' : 'taken'
        this.own(this.latency(), () => (given ? this.#build() : this.#rest()))
      }),
    )
  }

  #build(): void {
    this.work(this.random.between(5, 60), () =>
      this.own(this.random.between(0, 4000), () =>
        this.work(this.random.between(2, 10), () =>
          this.own(this.latency(), () => {
            this.job = 'done'
            this.#since = this.clock.now()
            this.#rest()
          }),
        ),
      ),
    )
  }

  #rest(): void {
    if (this.clock.now() - this.#since > this.#wait) this.own(this.random.between(1, 300), () => this.leave())
    else this.own(CHECK, () => this.#ask())
  }
}
