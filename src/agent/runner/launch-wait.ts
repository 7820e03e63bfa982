/**
 * How long a launch may still wait for its other machines. Until all are online, the job that has started them has not ended, and no job
 * can come that waits for it: so a runner's idle time does not begin before.
 */
import type { systemClock } from '../../lib/clock.ts'
import type { RunnerFacts } from '../../wire/runner.ts'
import type { CommonSpec } from '../../wire/spec.ts'
import type { Control } from '../slot/control.ts'

interface Launched extends Pick<CommonSpec, 'count' | 'createdAt'> {
  readonly runner: Pick<RunnerFacts, 'registered' | 'relaunch'>
}

export class LaunchWait {
  readonly #control: Pick<Control, 'online'>
  readonly #clock: Pick<typeof systemClock, 'now'>
  /** When the command has given up at the latest, by this machine's clock: it may have died without a word. */
  readonly #until: number

  constructor({ count, createdAt, runner }: Launched, control: Pick<Control, 'online'>, clock: Pick<typeof systemClock, 'now' | 'date'>) {
    const whole = count > 1 ? Number(runner.relaunch['onlineTimeout'] ?? 0) * 1000 : 0
    const gone = clock.date().getTime() - Date.parse(runner.registered ?? createdAt)
    this.#control = control
    this.#clock = clock
    // The clocks may differ, but it is never longer than the whole time.
    this.#until = clock.now() + Math.min(whole, Math.max(0, whole - gone))
  }

  /** Milliseconds; 0: it is over. */
  get left(): number {
    return this.#control.online === undefined ? Math.max(0, this.#until - this.#clock.now()) : 0
  }
}
