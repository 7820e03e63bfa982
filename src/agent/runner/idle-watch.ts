/** Watches one start of a runner until it ends, must end, or has been idle for so long that the machine may leave. */
import type { systemClock } from '../../lib/clock.ts'
import type { Freeze } from '../../snapshot/types.ts'
import type { RunnerProgram, ServedJob } from '../../wire/runner.ts'
import type { SlotPhase } from '../../wire/slot.ts'
import type { Exit, Running } from '../process/script.ts'
import type { RunnerSight } from './jobs.ts'

/** Milliseconds between two looks. */
const LOOK = 250
/**
 * Seconds for which a runner must have used no processor time before it is frozen: longer than an answer of the forge may take, and than
 * the runner's pause before it asks again (5 to 15 s: RetryRequest in src/Runner.Common of actions/runner).
 */
const MIN_REST = 20
/** Milliseconds without a process of a job after which it counts as over, although no hook has said so: it died, and its hook with it. */
const DEAD = 5000
/**
 * Milliseconds of processor time that a runner may use within three looks while it waits for a job. We assume, and have not measured at the
 * forge itself, that taking a job costs more: the runner decrypts a message and exchanges two more with the forge. If it costs less,
 * freezing the runner still protects most jobs: one that it has not taken is offered to another runner. Only a job that it takes within the
 * very last look could be lost.
 */
const RESTING_CPU = 5

export interface WatchOptions {
  readonly program: Pick<RunnerProgram, 'idleClock'>
  /** Seconds without a job after which it leaves; `null` = never. */
  readonly idle: number | null
  /** Seconds, in place of `MIN_REST`. */
  readonly rest?: number
  readonly sight: RunnerSight
  readonly freeze: Freeze
  readonly clock: Pick<typeof systemClock, 'now' | 'sleep'>
  /** Since when the machine has had no job, by this clock; absent at its first start of a runner. */
  readonly idleSince?: number | undefined
  /** Whether no job can be expected yet; then the idle time does not run. */
  readonly early?: () => boolean
  /** Whether there is no room for another job; asked after each one. Absent: the runner takes only one. */
  readonly full?: () => Promise<boolean>
}

export class RunnerWatch {
  readonly #options: WatchOptions
  /** Jobs of this start, as far as hooks have reported them. */
  jobs: readonly ServedJob[] = []
  onChange: (jobs: readonly ServedJob[], phase: SlotPhase) => void = () => {}
  /** Since when it has had no job; while it has one, the time of the last look. */
  idleSince: number
  #announced = ''
  #over: Exit | undefined
  /** Processor time that it had used at the last three looks. */
  #used: (number | undefined)[] = []
  /** Since when it has used none. */
  #restSince = 0
  /** When a process that exists only while a job runs was last seen. */
  #worked: number | undefined
  /** When the running job was first reported. */
  #openSince: number | undefined
  /** While such a process is seen: how many jobs hooks had reported before. */
  #before: number | undefined
  /** Jobs that have ended and that no hook has reported. */
  #silent = 0
  /** How many jobs had ended when it was last asked whether there is room for another one. */
  #roomAfter = 0

  constructor(options: WatchOptions) {
    this.#options = options
    this.idleSince = options.idleSince ?? options.clock.now()
  }

  /** Milliseconds. */
  get #rest(): number {
    return (this.#options.rest ?? MIN_REST) * 1000
  }

  /** Jobs that have ended, as far as hooks have reported them. */
  get ended(): number {
    return this.jobs.filter((job) => job.end !== undefined).length
  }

  /** It has had a job, whether or not a hook reported it. */
  get worked(): boolean {
    return this.#worked !== undefined || this.jobs.length > 0
  }

  /**
   * Jobs that have ended and that no hook has reported: those that fail while they are set up. `reported`: how many jobs hooks had reported
   * when the runner had ended by itself; then a job whose process was seen last has ended, too.
   */
  silent(reported?: number): number {
    const last = reported !== undefined && this.#before === reported ? 1 : 0
    return this.#silent + last
  }

  /**
   * Resolves to its exit, to `halt` after the signal, or to why it must end before it takes another job: then it is frozen without one, and the
   * caller must end it.
   */
  async until(running: Pick<Running, 'exit'>, halt: AbortSignal): Promise<Exit | 'halt' | 'idle' | 'full'> {
    const { clock } = this.#options
    const over = new AbortController()
    // Subscribed once: racing against its exit at every look would add another listener each time, for as long as the runner lives.
    void running.exit.then((how) => {
      this.#over = how
      over.abort()
    })
    const wakes = AbortSignal.any([halt, over.signal])
    for (;;) {
      await clock.sleep(LOOK, wakes).catch(() => undefined)
      const ended = this.ended
      // A job that began and ended between two looks counts as well.
      const busy = (await this.#look()) || this.ended > ended
      if (busy || this.#options.early?.()) [this.idleSince, this.#used] = [clock.now(), []]
      if (this.#over) return this.#over
      if (halt.aborted) return 'halt'
      if (!busy && (await this.#isFull()) && (await this.#frozen(() => true))) return 'full'
      if (!busy && this.#idleFor(-this.#rest)) {
        this.#noteRest()
        if (this.#idleFor(0) && clock.now() - this.#restSince >= this.#rest && (await this.#frozen(() => this.#noteRest()))) return 'idle'
      }
    }
  }

  /** Whether the jobs that have ended have left no room for another one. */
  async #isFull(): Promise<boolean> {
    const ended = this.ended + this.#silent
    if (ended === this.#roomAfter) return false
    this.#roomAfter = ended
    return (await this.#options.full?.()) === true
  }

  /** Whether it has been idle for its idle time plus this many milliseconds. */
  #idleFor(longer: number): boolean {
    const { idle, program, clock } = this.#options
    return idle !== null && program.idleClock === 'agent' && clock.now() - this.idleSince >= idle * 1000 + longer
  }

  /**
   * Notes how much processor time it has used. False if that shows work since the look before the last one: work that was going on during a
   * look is then seen as a whole.
   */
  #noteRest(): boolean {
    this.#used = [...this.#used.slice(-2), this.#options.sight.effort()]
    const rests = this.#used.length > 1 && moved(this.#used[0], this.#used.at(-1)) <= RESTING_CPU
    if (!rests) this.#restSince = this.#options.clock.now()
    return rests
  }

  /** Resolves to whether it has a job, by its hooks or its processes. */
  async #look(): Promise<boolean> {
    const { sight } = this.#options
    const known = this.jobs.length
    // First its process, then the journal: a job whose process is gone has reported its end by then, if a hook reports it at all.
    let working = sight.working()
    this.jobs = await sight.jobs()
    // One that began meanwhile: its process is not to be taken for another job at the next look.
    if (!working && this.jobs.length > known) working = sight.working()
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

  /** Whether the process of a job that has no end has been gone for a while. Never if such a process was not seen at all. */
  #isDead(): boolean {
    return this.#worked !== undefined && this.#options.clock.now() - Math.max(this.#worked, this.#openSince ?? 0) >= DEAD
  }

  /**
   * Freezes the runner, and only then looks once more; false: it has a job after all, and goes on. A job that is sent to a frozen runner
   * was not taken, so the forge gives it to another one. For lack of a job, the runner is frozen only after a time at rest: half-way through
   * taking a job, it would have used the processor.
   */
  async #frozen(rests: () => boolean): Promise<boolean> {
    const { freeze, clock } = this.#options
    await freeze.stop()
    const busy = [await this.#look(), await clock.sleep(50).then(async () => this.#look())]
    if (!rests() || busy.includes(true) || this.#over) {
      await freeze.resume()
      return false
    }
    this.onChange(this.jobs, 'draining')
    return true
  }
}

/** How far two readings are apart. A lower one counts as activity, too: a process has ended. */
function moved(before: number | undefined, after: number | undefined): number {
  return before === undefined || after === undefined ? 0 : Math.abs(after - before)
}
