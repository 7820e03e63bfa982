/** Watches one start of a runner until it ends, is told to, or has been idle for long enough that it may go. */
import type { systemClock } from '../lib/clock.ts'
import { signalProcess } from '../lib/process.ts'
import type { Freeze } from '../snapshot/types.ts'
import type { RunnerProgram, ServedJob } from '../wire/runner.ts'
import type { SlotPhase } from '../wire/slot.ts'
import type { RunnerSight } from './runner-jobs.ts'
import type { Exit, Running } from './script.ts'

/** Milliseconds between two looks. */
const LOOK = 250
/** Milliseconds that a runner must have been at rest before it is held: longer than an answer of the forge may take. */
const REST = 3000
/**
 * Milliseconds of processor time that a runner which waits for a job may use between three looks. Assumed, not measured at the vendor's own:
 * taking a job up, a decrypted message and two exchanges with the forge, costs more. Should it cost less, the hold still has the last word:
 * what is held before it has taken a job up is offered to another runner, and only a job taken up within the very last look could be lost.
 */
const BREATH = 5

export interface WatchOptions {
  readonly program: Pick<RunnerProgram, 'idleClock' | 'signals'>
  /** Seconds; `null` = for ever. */
  readonly idle: number | null
  readonly sight: RunnerSight
  readonly freeze: Freeze
  readonly clock: Pick<typeof systemClock, 'now' | 'sleep'>
}

export class RunnerWatch {
  readonly #options: WatchOptions
  jobs: readonly ServedJob[] = []
  onChange: (jobs: readonly ServedJob[], phase: SlotPhase) => void = () => {}
  #idleSince: number
  #told = ''
  #over: Exit | undefined
  /** What it had used at the last looks. */
  #used: (number | undefined)[] = []
  #restSince = 0

  constructor(options: WatchOptions) {
    this.#options = options
    this.#idleSince = options.clock.now()
  }

  get ended(): number {
    return this.jobs.filter((job) => job.end !== undefined).length
  }

  /** `idle`: it is held still, has no job, and takes none: the caller ends it. */
  async until(running: Pick<Running, 'id' | 'exit'>, halt: AbortSignal): Promise<Exit | 'halt' | 'idle'> {
    const { clock } = this.#options
    const over = new AbortController()
    // Asked once: whoever races its exit at every look leaves something behind each time, for as long as the runner lives.
    void running.exit.then((how) => {
      this.#over = how
      over.abort()
    })
    const ended = AbortSignal.any([halt, over.signal])
    for (;;) {
      await clock.sleep(LOOK, ended).catch(() => undefined)
      const busy = await this.#look()
      if (this.#over) return this.#over
      if (halt.aborted) return 'halt'
      if (busy) [this.#idleSince, this.#used] = [clock.now(), []]
      else if (this.#idleFor(-REST)) {
        this.#feel()
        if (this.#idleFor(0) && clock.now() - this.#restSince >= REST && (await this.#drained(running))) return 'idle'
      }
    }
  }

  /** For as long as it may be, and so much longer. */
  #idleFor(longer: number): boolean {
    const { idle, program, clock } = this.#options
    return idle !== null && program.idleClock === 'agent' && clock.now() - this.#idleSince >= idle * 1000 + longer
  }

  /** False when it did something since. Against the look before the last one: what is cut in two by one look is whole for the next. */
  #feel(): boolean {
    this.#used = [...this.#used.slice(-2), this.#options.sight.effort()]
    const rests = this.#used.length > 1 && moved(this.#used[0], this.#used.at(-1)) <= BREATH
    if (!rests) this.#restSince = this.#options.clock.now()
    return rests
  }

  /** Busy when either the hooks or the processes say so. */
  async #look(): Promise<boolean> {
    this.jobs = await this.#options.sight.jobs()
    const open = this.jobs.some((job) => job.end === undefined)
    const busy = open || this.#options.sight.working()
    const now = `${busy} ${this.jobs.length} ${this.ended}`
    if (now !== this.#told && (this.#told !== '' || busy || this.jobs.length > 0)) this.onChange(this.jobs, busy ? 'job' : 'idle')
    this.#told = now
    return busy
  }

  /**
   * Takes no further job, and only then looks again. A runner that knows no such order is held still: what is sent to it from then on was
   * never picked up, and the forge gives it to another. It is held only after a time at rest, so that nothing can be half picked up:
   * that takes work and several exchanges with the forge, and would show.
   */
  async #drained(running: Pick<Running, 'id' | 'exit'>): Promise<boolean> {
    const { program, freeze, clock } = this.#options
    if (program.signals.drain) {
      signalProcess(running.id, program.signals.drain)
      this.onChange(this.jobs, 'draining')
      await running.exit
      return true
    }
    await freeze.stop()
    const busy = [await this.#look(), await clock.sleep(50).then(async () => this.#look())]
    if (!this.#feel() || busy.includes(true) || this.#over) {
      await freeze.resume()
      return false
    }
    this.onChange(this.jobs, 'draining')
    return true
  }
}

/** Also less than before is a movement: something has ended. */
function moved(before: number | undefined, after: number | undefined): number {
  return before === undefined || after === undefined ? 0 : Math.abs(after - before)
}
