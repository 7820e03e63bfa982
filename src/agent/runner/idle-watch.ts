/** Watches one start of a runner until it ends, is told to end, or has been idle for so long that it may leave. */
import type { systemClock } from '../../lib/clock.ts'
import { signalProcess } from '../../lib/process.ts'
import type { Freeze } from '../../snapshot/types.ts'
import type { RunnerProgram, ServedJob } from '../../wire/runner.ts'
import type { SlotPhase } from '../../wire/slot.ts'
import type { Exit, Running } from '../process/script.ts'
import type { RunnerSight } from './jobs.ts'

/** Milliseconds between two looks. */
const LOOK = 250
/**
 * Seconds that a runner must have rested before it is held: longer than an answer of the forge may take, or a pause before the runner asks
 * again (5 to 15 s: RetryRequest in src/Runner.Common of actions/runner).
 */
const MIN_REST = 20
/** Milliseconds without a process of a job that has begun, after which it is over: it died, and its last hook with it. */
const DEAD = 5000
/**
 * Milliseconds of processor time that a runner which waits for a job may use between three looks. Assumed, not measured at the vendor's own:
 * taking a job up, a decrypted message and two exchanges with the forge, costs more. Should it cost less, the hold still has the last word:
 * what is held before it has taken a job up is offered to another runner, and only a job taken up within the very last look could be lost.
 */
const RESTING_CPU = 5

export interface WatchOptions {
  readonly program: Pick<RunnerProgram, 'idleClock' | 'signals'>
  /** Seconds; `null` = for ever. */
  readonly idle: number | null
  /** Seconds. */
  readonly rest?: number
  readonly sight: RunnerSight
  readonly freeze: Freeze
  readonly clock: Pick<typeof systemClock, 'now' | 'sleep'>
  /** Since when the machine has had no job, by this clock; absent for its first runner. */
  readonly idleSince?: number | undefined
}

export class RunnerWatch {
  readonly #options: WatchOptions
  jobs: readonly ServedJob[] = []
  onChange: (jobs: readonly ServedJob[], phase: SlotPhase) => void = () => {}
  /** Since when it has had no job; while it has one, the last look. */
  idleSince: number
  #announced = ''
  #over: Exit | undefined
  /** What it had used at the last looks. */
  #used: (number | undefined)[] = []
  #restSince = 0
  /** When a process that exists only while a job runs was seen last. */
  #worked: number | undefined
  /** When the running job was first reported. */
  #openSince: number | undefined
  /** Jobs that hooks had reported before the process at work was seen. */
  #before: number | undefined
  #silent = 0

  constructor(options: WatchOptions) {
    this.#options = options
    this.idleSince = options.idleSince ?? options.clock.now()
  }

  /** Milliseconds. */
  get #rest(): number {
    return (this.#options.rest ?? MIN_REST) * 1000
  }

  get ended(): number {
    return this.jobs.filter((job) => job.end !== undefined).length
  }

  /** It has had a job, whether or not a hook reported it. */
  get worked(): boolean {
    return this.#worked !== undefined || this.jobs.length > 0
  }

  /** Jobs that no hook reported: those that fail while they are set up have none. `jobs`: how many hooks reported in the end. */
  silent(jobs: number): number {
    return this.#silent + (this.#before === jobs ? 1 : 0)
  }

  /** `idle`: it is frozen, has no job, and takes none: the caller ends it. */
  async until(running: Pick<Running, 'id' | 'exit'>, halt: AbortSignal): Promise<Exit | 'halt' | 'idle'> {
    const { clock } = this.#options
    const over = new AbortController()
    // Asked once: racing its exit at every look would leave something behind each time, for as long as the runner lives.
    void running.exit.then((how) => {
      this.#over = how
      over.abort()
    })
    const wakes = AbortSignal.any([halt, over.signal])
    for (;;) {
      await clock.sleep(LOOK, wakes).catch(() => undefined)
      const ended = this.ended
      // A job may begin and end between two looks.
      const busy = (await this.#look()) || this.ended > ended
      if (busy) [this.idleSince, this.#used] = [clock.now(), []]
      if (this.#over) return this.#over
      if (halt.aborted) return 'halt'
      if (!busy && this.#idleFor(-this.#rest)) {
        this.#noteRest()
        if (this.#idleFor(0) && clock.now() - this.#restSince >= this.#rest && (await this.#drained(running))) return 'idle'
      }
    }
  }

  /** Whether it has been idle for its idle time plus this many milliseconds. */
  #idleFor(longer: number): boolean {
    const { idle, program, clock } = this.#options
    return idle !== null && program.idleClock === 'agent' && clock.now() - this.idleSince >= idle * 1000 + longer
  }

  /**
   * False if it has used the processor since. Compared with the look before the last one, so that work which one look cuts in two is seen
   * whole by the next.
   */
  #noteRest(): boolean {
    this.#used = [...this.#used.slice(-2), this.#options.sight.effort()]
    const rests = this.#used.length > 1 && moved(this.#used[0], this.#used.at(-1)) <= RESTING_CPU
    if (!rests) this.#restSince = this.#options.clock.now()
    return rests
  }

  /** Busy when either the hooks or the processes say so. */
  async #look(): Promise<boolean> {
    const { sight } = this.#options
    const known = this.jobs.length
    this.jobs = await sight.jobs()
    const working = sight.working()
    this.#count(working, known)
    const open = this.jobs.some((job) => job.end === undefined)
    if (open && !working && this.#isDead()) await sight.over()
    const busy = open || working
    const now = `${busy} ${this.jobs.length} ${this.ended}`
    if (now !== this.#announced && (this.#announced !== '' || busy || this.jobs.length > 0)) this.onChange(this.jobs, busy ? 'job' : 'idle')
    this.#announced = now
    return busy
  }

  #count(working: boolean, known: number): void {
    const now = this.#options.clock.now()
    if (working) {
      this.#worked = now
      this.#before ??= known
    } else if (this.#before !== undefined) {
      if (this.jobs.length === this.#before) this.#silent++
      this.#before = undefined
    }
    if (this.jobs.at(-1)?.end !== undefined) this.#openSince = undefined
    else if (this.jobs.length > 0 && (this.#openSince === undefined || this.jobs.length > known)) this.#openSince = now
  }

  /** Only where its process can be seen at all. */
  #isDead(): boolean {
    return this.#worked !== undefined && this.#options.clock.now() - Math.max(this.#worked, this.#openSince ?? 0) >= DEAD
  }

  /**
   * Lets the runner take no further job, and only then looks again. A runner without such a command is frozen: a job that is sent to it
   * from then on was never picked up, and the forge gives it to another. It is held only after a time at rest, so that nothing can be half
   * picked up: that takes work and several exchanges with the forge, and would show.
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
    if (!this.#noteRest() || busy.includes(true) || this.#over) {
      await freeze.resume()
      return false
    }
    this.onChange(this.jobs, 'draining')
    return true
  }
}

/** Less than before counts as activity too: something has ended. */
function moved(before: number | undefined, after: number | undefined): number {
  return before === undefined || after === undefined ? 0 : Math.abs(after - before)
}
