/** Watches one start of a runner until it ends, is told to, or has been idle for long enough that it may go. */
import { bootNow, pause } from '../lib/clock.ts'
import { signalProcess } from '../lib/process.ts'
import type { Freeze } from '../snapshot/types.ts'
import type { RunnerProgram, ServedJob } from '../wire/runner.ts'
import type { SlotPhase } from '../wire/slot.ts'
import { effort, hasWorker, readJobs } from './runner-jobs.ts'
import type { Exit, Running } from './script.ts'

/** Milliseconds between two looks. */
const LOOK = 250
/** Milliseconds that a runner must have been at rest before it is held. */
const REST = 600
/** Milliseconds of processor time that a runner which waits for a job may use meanwhile. */
const BREATH = 4

export interface WatchOptions {
  readonly program: RunnerProgram
  /** Seconds; `null` = for ever. */
  readonly idle: number | null
  readonly journal: string
  readonly machine: string
  readonly epoch: number
  readonly freeze: Freeze
  readonly pid: number
}

export class RunnerWatch {
  readonly #options: WatchOptions
  jobs: readonly ServedJob[] = []
  onChange: (jobs: readonly ServedJob[], phase: SlotPhase) => void = () => {}
  #idleSince = bootNow()
  #told = ''

  constructor(options: WatchOptions) {
    this.#options = options
  }

  get ended(): number {
    return this.jobs.filter((job) => job.end !== undefined).length
  }

  /** `idle`: it is held still, has no job, and takes none: the caller ends it. */
  async until(exit: Promise<Exit>, running: Running, halt: AbortSignal): Promise<Exit | 'halt' | 'idle'> {
    let over: Exit | undefined
    void exit.then((how) => (over = how))
    for (;;) {
      await Promise.race([exit, pause(LOOK, halt).catch(() => undefined)])
      const busy = await this.#look()
      if (over) return over
      if (halt.aborted) return 'halt'
      if (busy) this.#idleSince = bootNow()
      else if (this.#expired() && (await this.#drained(running))) return 'idle'
    }
  }

  #expired(): boolean {
    const { idle, program } = this.#options
    return idle !== null && program.idleClock === 'agent' && bootNow() - this.#idleSince >= idle * 1000
  }

  /** Busy when either the hooks or the processes say so. */
  async #look(): Promise<boolean> {
    const { journal, epoch, program, machine } = this.#options
    this.jobs = await readJobs(journal, epoch)
    const open = this.jobs.some((job) => job.end === undefined)
    const busy = open || (program.worker !== undefined && hasWorker(machine, program.worker))
    const now = `${busy} ${this.jobs.length} ${this.ended}`
    if (now !== this.#told && (this.#told !== '' || busy)) this.onChange(this.jobs, busy ? 'job' : 'idle')
    this.#told = now
    return busy
  }

  /**
   * Takes no further job, and only then looks again. A runner that knows no such order is held still: what is sent to it from then on was
   * never picked up, and the forge gives it to another. It is held only after a time at rest, so that nothing can be half picked up:
   * that takes work and several exchanges with the forge, and would show.
   */
  async #drained(running: Running): Promise<boolean> {
    const { program, freeze, machine } = this.#options
    if (program.signals.drain) {
      signalProcess(running.id, program.signals.drain)
      this.onChange(this.jobs, 'draining')
      await running.exit
      return true
    }
    const before = effort(machine)
    await pause(REST)
    if (await this.#look()) return false
    const after = effort(machine)
    if (before !== undefined && after !== undefined && after - before > BREATH) return false
    await freeze.stop()
    const still = [await this.#look(), await pause(50).then(async () => this.#look())]
    const moved = effort(machine)
    if (still.some(Boolean) || (after !== undefined && moved !== undefined && moved - after > BREATH / 2)) {
      await freeze.resume()
      return false
    }
    this.onChange(this.jobs, 'draining')
    return true
  }
}
