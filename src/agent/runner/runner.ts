/**
 * An attempt of a machine that serves a forge: starts its runner with one credential after the other, knows whether a job is running, and
 * never leaves because of idleness while one is.
 */
import { mkdir } from 'node:fs/promises'
import { bootNow, systemClock } from '../../lib/clock.ts'
import { formatDuration } from '../../lib/duration.ts'
import { secretNeedles } from '../../lib/redact.ts'
import type { Program } from '../../wire/program.ts'
import type { ServedJob } from '../../wire/runner.ts'
import { aboutAttempt, type SlotPhase, type SlotRecord } from '../../wire/slot.ts'
import type { RunnerWork } from '../attempt/context.ts'
import { freshFiles, runnerEnvironment, scriptEnvironment } from '../attempt/environment.ts'
import { goThrough, setUp } from '../attempt/steps.ts'
import { type Happened, interruption, type Verdict } from '../attempt/verdict.ts'
import { diskIsFull } from '../process/memory-and-disk.ts'
import { type Running, startProgram } from '../process/script.ts'
import type { LogShipper } from '../telemetry/log-shipper.ts'
import { type Credential, claimCredential, hasCredentials, useUp } from './credentials.ts'
import { endRunner, GOODBYE } from './end-runner.ts'
import { RunnerWatch } from './idle-watch.ts'
import { type Timeline, untilNow } from './job-timeline.ts'
import { readJobs, sightOf } from './jobs.ts'
import { LaunchWait } from './launch-wait.ts'
import { argvOf, configureRunner, newerInPlace, runnerPlace, unpack } from './program.ts'
import { register } from './registration.ts'
import { Restarts } from './restarts.ts'
import { endSession } from './session.ts'
import { factsOf, factsOnceOnline, type RunnerLaunch, secretFacts, waitedOnly } from './start.ts'
import { drainIfDisowned } from './still-registered.ts'
import { toolFolder, withoutLibrary } from './surroundings.ts'
import { DISMISSED, handedOn, hasFilledDisk, meaningOf, NONE_LEFT, ofFullDisk, outgrown, servedText, settled, spent } from './verdict.ts'

/** Free bytes that another job needs at least, for its actions, sources and logs. */
const ROOM = 100_000_000
/** Jobs that the record lists; older ones are only counted. */
const LISTED = 100

export class RunnerAttempt {
  readonly #work: RunnerWork
  readonly #logs: LogShipper
  /** Jobs of earlier attempts, and of earlier starts in this attempt. */
  #before: readonly ServedJob[]
  /** How many jobs earlier attempts served. */
  readonly #servedBefore: number
  /** How many jobs this attempt has served. */
  #ended = 0
  /** How many of all these jobs failed. */
  #failures: number
  /** The index of the job of this start that was told to end; -1: none. */
  #cutOff = -1
  /** The credential for one job that was taken last, if its job has not begun; `null`: this attempt has not taken one. */
  #unused: Credential | undefined | null = null
  #usingUp: Promise<unknown> = Promise.resolve()
  /** A runner exited normally without a job: the forge has dismissed it. */
  #dismissed = false
  readonly #timeline: Timeline
  /** How the last start ended, for people. */
  #last: string | undefined
  readonly #restarts = new Restarts()
  readonly #wait: LaunchWait
  /** See `WatchOptions.idleSince`. */
  #idleSince: number | undefined
  /** Milliseconds for which the last start waited for jobs, if it ended too early. */
  #idled = 0
  /** The last runner has failed. GitHub's own crashes if it cannot write its log any more. */
  #crash: Verdict | undefined
  /** A runner has started. */
  #begun = false
  needles: readonly Buffer[] = []

  constructor(work: RunnerWork, logs: LogShipper) {
    this.#work = work
    this.#logs = logs
    this.#before = (work.holder.record.jobs ?? []).map((job) =>
      job.end === undefined ? { ...job, end: new Date().toISOString(), interrupted: true } : job,
    )
    this.#servedBefore = work.holder.record.served ?? 0
    this.#failures = work.holder.record.failed ?? 0
    this.#timeline = untilNow(work.context.spec, work.holder.record)
    this.#wait = new LaunchWait(work.context.spec, work.control, systemClock)
  }

  async through(): Promise<Happened> {
    const { ending, context } = this.#work
    const happened = await goThrough({
      ending,
      run: async (halt) => this.#stages(halt),
      imposed: () => this.#imposed(),
      full: async () => diskIsFull(context.folders.work),
    })
    const filled = hasFilledDisk(happened) || (this.#crash !== undefined && (await this.#hasNoRoom()))
    return filled && this.#mayHaveWorked ? this.#full() : happened
  }

  /** A job has filled the disk. The next ones have room on another machine, if that can register. */
  #full(): Happened {
    const { jobs, machine } = this.#work.context.spec.runner
    const all = jobs !== null && this.#served >= jobs
    if (all && !this.#crash) return this.#done(this.#summary(this.#served, this.#before))
    const mayRegister = machine.registration !== undefined || this.#mayRegister
    const cutOff = this.#before.some(({ epoch, interrupted }) => interrupted && epoch === this.#work.holder.record.epoch)
    return { kind: 'judged', verdict: ofFullDisk({ crash: all ? this.#crash : undefined, cutOff, mayRegister }) }
  }

  /** Whether there may be a credential of which no job has made use. */
  get #mayRegister(): boolean {
    return this.#unused !== undefined || hasCredentials(this.#work.context, this.#work.holder.record)
  }

  /** Whether it has had a job, as far as anybody knows: without hooks, only the forge knows. */
  get #mayHaveWorked(): boolean {
    return this.#ended > 0 || (this.#begun && this.#work.context.spec.runner.machine.hooks === undefined)
  }

  async #stages(halt: AbortSignal): Promise<Happened> {
    const { context, guard, holder, base } = this.#work
    const { folders, spec } = context
    await Promise.all([mkdir(folders.work, { recursive: true }), mkdir(folders.tmp, { recursive: true })])
    await Promise.all([guard.ready, freshFiles(folders.run)])
    const env = scriptEnvironment(context, holder.record, {}, [], base)
    this.#work.machine.place = { env, cwd: folders.work }
    const early = spec.setup && (await this.#setUp(spec.setup, env))
    if (early) return early
    this.#enter('enrolling')
    const version = await unpack(context, halt)
    this.#timeline.mark(`runner program ${version} is in place`)
    const late = spec.runner.setup && (await this.#setUp(spec.runner.setup, { ...env, TPI_RUNNER_FOLDER: runnerPlace(context).folder }))
    if (late) return late
    const { registration } = spec.runner.machine
    const own = registration && (await register(this.#work, registration, this.#logs, (secrets) => this.#hide(secrets), halt))
    if (own && own.kind !== 'registered') return own
    if (registration && !own) return this.#failed(NONE_LEFT)
    for (;;) {
      halt.throwIfAborted()
      if (spec.runner.jobs !== null && this.#served >= spec.runner.jobs) return this.#done(this.#summary(this.#served, this.#before))
      if ((own || this.#mayRegister) && (await this.#hasNoRoom())) return this.#full()
      const credential = own ?? this.#unused ?? (await this.#claim(halt))
      if (credential === undefined) {
        const [{ attempts }, last, dismissed] = [holder.record, this.#last, this.#dismissed]
        return { kind: 'judged', verdict: spent({ attempts, jobs: this.#before, served: this.#served, last, dismissed }) }
      }
      const [begun, before] = [performance.now(), this.#ended]
      const happened = await this.#serve(credential, halt)
      if (happened === 'early') continue
      if (happened === 'full') return this.#full()
      if (happened) return happened
      const came = { lasted: performance.now() - begun, jobs: this.#ended - before }
      if (!(await this.#restarts.again(came, halt))) return this.#failed(`its runner keeps exiting: ${this.#last}`)
    }
  }

  async #hasNoRoom(): Promise<boolean> {
    return this.#ended > 0 && (await this.#isFull())
  }

  async #isFull(): Promise<boolean> {
    return await diskIsFull(this.#work.context.folders.work, ROOM).catch(() => false)
  }

  async #claim(halt: AbortSignal): Promise<Credential | undefined> {
    const inherit = this.#unused === null
    // If this ends half-way, the next holder inherits what was taken last.
    this.#unused = null
    const credential = await claimCredential(this.#work.context, this.#work.holder, inherit, halt)
    this.#unused = credential?.k === undefined ? undefined : credential
    if (credential === undefined) return undefined
    this.#hide([credential.value])
    this.#work.machine.credential = credential
    return credential
  }

  /** Removes the credential from the store once its job has begun, so that nobody can get another job with it. */
  #useUp(): void {
    if (!this.#unused) return
    this.#usingUp = useUp(this.#work.context, this.#unused, this.#work.ending.severed).catch(() => undefined)
    this.#unused = undefined
  }

  #hide(secrets: readonly string[]): void {
    this.needles = secretNeedles(secrets)
    this.#logs.mask(this.needles)
  }

  /** Resolves to what happened if set-up failed, or `undefined`. */
  async #setUp(program: Program, env: Readonly<Record<string, string>>): Promise<Happened | undefined> {
    this.#enter('setup')
    const happened = await setUp(this.#work, this.#logs, program, { env, cwd: this.#work.context.folders.work })
    this.#timeline.mark('set-up is done')
    return happened
  }

  get #served(): number {
    return this.#servedBefore + this.#ended
  }

  #summary(served: number, jobs: readonly ServedJob[]): string {
    return servedText({ served, failed: this.#failures }, jobs)
  }

  /** Starts the runner once, and serves with it. */
  async #serve(credential: Credential, halt: AbortSignal): Promise<Served> {
    const { context, guard } = this.#work
    const { machine: program } = context.spec.runner
    const { folder } = runnerPlace(context)
    const at = new Date().toISOString()
    const { left } = this.#wait
    const start: RunnerLaunch = {
      credential,
      at,
      before: this.#before,
      served: this.#served,
      timeline: this.#timeline,
      early: left,
      idled: this.#idled,
    }
    const proof = program.credential === undefined ? {} : { [program.credential]: credential.value }
    const given = {
      ...(await toolFolder(context.config.home, this.#work.base)),
      ...runnerEnvironment(context, this.#work.base),
      ...program.env,
    }
    const hooks = await configureRunner(context, secretFacts(this.#work, start), at, given)
    const env = { ...(await withoutLibrary(program, given)), ...given, ...hooks, ...proof }
    const started = await startProgram({
      name: 'script',
      program: { argv: argvOf(program, folder, factsOf(this.#work, start)) },
      env,
      cwd: folder,
      run: context.folders.run,
      system: context.config.system,
      guard,
      say: context.say,
      output: this.#logs.sink('script'),
    })
    if (!('id' in started)) return this.#failed(`the runner program cannot be started (exit code ${started.code})`)
    this.#begun = true
    return await this.#attend(started, start, halt)
  }

  async #attend(running: Running, start: RunnerLaunch, halt: AbortSignal): Promise<Served> {
    const { context, ending, guard, holder } = this.#work
    const { credential } = start
    const { journal } = runnerPlace(context)
    const { machine: program, idle, rest } = context.spec.runner
    const [begun, freeze] = [systemClock.now(), guard.freeze(running.id)]
    context.say(`runner ${credential.name} starts`)
    this.#enter('idle')
    // A runner that measures its idle time itself does not show whether it has a job, so it must be assumed that it has one.
    ending.engaged = program.idleClock === 'runner'
    const watch = new RunnerWatch({
      program,
      idle,
      ...(rest === undefined ? {} : { rest }),
      sight: sightOf(program, { journal, machine: context.config.machine, epoch: holder.record.epoch, runner: running.id }),
      freeze,
      clock: systemClock,
      // A restart does not end the idle time.
      idleSince: this.#idleSince,
      early: () => this.#wait.left > 0,
      ...(program.jobsPerStart === null ? { full: async () => this.#isFull() } : {}),
    })
    watch.onChange = (jobs, phase) => this.#note(jobs, phase)
    const over = new AbortController()
    const disowned = drainIfDisowned(context, running, credential, over.signal)
    const rewritten = factsOnceOnline(this.#work, start, over.signal)
    let [ended, left] = [false, false]
    try {
      const how = await watch.until(running, halt)
      ending.severed.throwIfAborted()
      if (how === 'halt') {
        await this.#abort(running)
        return this.#imposed()
      }
      if (how === 'full') {
        await this.#abort(running, { due: bootNow() + GOODBYE, frozen: freeze })
        return 'full'
      }
      if (how === 'idle') {
        left = true
        const served = this.#summary(this.#served + watch.ended + watch.silent(), [...this.#before, ...watch.jobs])
        return this.#done(`no job for ${formatDuration(Math.round(idle ?? 0))}, ${served}`)
      }
      over.abort()
      ended = true
      const now = systemClock.now()
      const idled = waitedOnly(start, (idle ?? 0) * 1000, { idled: now - watch.idleSince, lasted: now - begun })
      this.#idled = idled ?? 0
      return await this.#judge(how.code, watch, { disowned: await disowned, early: idled !== undefined }, halt)
    } finally {
      this.#idleSince = watch.idleSince
      over.abort()
      await rewritten
      await running.clear()
      if (left) await endSession(context, credential, ending.severed)
      ending.engaged = false
      this.#logs.finish('script')
      const jobs = await readJobs(journal, holder.record.epoch)
      this.#settle(jobs, ended ? watch.silent(jobs.length) : watch.silent(), (!ended || halt.aborted) && !outgrown(ending.imposed))
      await this.#usingUp
    }
  }

  async #abort(running: Running, how?: Parameters<typeof endRunner>[3]): Promise<void> {
    const { ending, context, holder } = this.#work
    const jobs = await readJobs(runnerPlace(context).journal, holder.record.epoch)
    // This job counts as cut off, however it ends from here on, and whether or not its hook still runs. One that has filled the disk does not.
    this.#cutOff = outgrown(ending.imposed) ? -1 : jobs.findIndex((job) => job.end === undefined)
    await endRunner(running, context.spec.runner.machine.signals, ending, how)
  }

  /** What the exit code of a runner means. `disowned`: the forge no longer has its registration. `early`: it has waited for jobs for too short a time. */
  async #judge(
    code: number,
    watch: RunnerWatch,
    { disowned, early }: { readonly disowned: boolean; readonly early: boolean },
    halt: AbortSignal,
  ): Promise<Served> {
    const { context } = this.#work
    const { worked, jobs } = watch
    const meaning = meaningOf(context.spec.runner.machine, { code, worked })
    if (worked && !halt.aborted && context.spec.runner.machine.exits[String(code)]?.failed) this.#failures++
    if (meaning.kind === 'failed') {
      this.#crash = { state: 'failed', cause: 'exit', reason: meaning.says, exitCode: code }
      return { kind: 'judged', verdict: this.#crash }
    }
    context.say(`runner: ${meaning.says}`)
    this.#last = meaning.says
    if (meaning.kind === 'over') {
      // A program that measures its idle time, and has no number of jobs to serve, ends only for lack of a job.
      const { jobs: most, machine } = context.spec.runner
      if (!disowned && most === null && machine.idleClock === 'runner' && early) return 'early'
      // If its program has no hooks, nobody knows how many jobs it had.
      const hooks = context.spec.runner.machine.hooks !== undefined
      const served = this.#served + jobs.length + watch.silent(jobs.length)
      if (hooks && served > 0) return this.#done(this.#summary(served, [...this.#before, ...jobs]))
      return this.#done(disowned || hooks ? `${hooks ? 'the runner left: ' : ''}${DISMISSED}` : meaning.says)
    }
    if (meaning.used) this.#useUp()
    this.#dismissed ||= meaning.dismissed
    if (meaning.updates) await newerInPlace(context, halt)
    return undefined
  }

  /** The machine must end. After an interruption, the slot stays open if another machine could register in its place. */
  #imposed(): Happened {
    const { imposed } = this.#work.ending
    if (imposed?.kind !== 'interrupted' || imposed.diskFull) return { kind: 'imposed', cause: imposed ?? { kind: 'timed-out' } }
    return { kind: 'judged', verdict: handedOn({ ...interruption(imposed), reason: imposed.reason }, this.#mayRegister) }
  }

  #done(reason: string): Happened {
    return { kind: 'judged', verdict: { state: 'succeeded', cause: 'exit', reason, exitCode: 0 } }
  }

  #failed(reason: string): Happened {
    return { kind: 'judged', verdict: { state: 'failed', cause: 'exit', reason, exitCode: 1 } }
  }

  #enter(phase: SlotPhase): void {
    void this.#work.holder.update((record) => this.#entered(record, phase, this.#before)).catch(() => undefined)
  }

  #note(jobs: readonly ServedJob[], phase: SlotPhase): void {
    this.#work.ending.engaged = phase !== 'idle'
    if (phase === 'job' || jobs.length > 0) this.#useUp()
    const all = [...this.#before, ...jobs]
    void this.#work.holder.update((record) => this.#entered(record, phase, all)).catch(() => undefined)
  }

  /**
   * A machine whose runner waited for a job counts as having saved something: it was useful, even if it is reclaimed before a job comes.
   */
  #entered(record: SlotRecord, phase: SlotPhase, jobs: readonly ServedJob[]): SlotRecord {
    const attempts = phase === 'idle' ? aboutAttempt(record, { saved: true }) : record.attempts
    return { ...record, state: 'running', phase, attempts, ...(jobs.length > 0 ? { jobs: jobs.slice(-LISTED) } : {}) }
  }

  /**
   * Records the jobs of a runner that is gone. `silent`: how many jobs no hook reported. `leaving`: the machine is, so jobs without an end
   * were cut off.
   */
  #settle(jobs: readonly ServedJob[], silent: number, leaving: boolean): void {
    if (jobs.length > 0) this.#useUp()
    const now = new Date().toISOString()
    const over = settled(jobs, { cutOff: this.#cutOff, leaving, now })
    this.#before = [...this.#before, ...over]
    this.#ended += over.filter((job) => !job.interrupted).length + silent
    const [all, served, failed] = [this.#before.slice(-LISTED), this.#served, this.#failures]
    const counts = { served, ...(failed > 0 ? { failed } : {}) }
    void this.#work.holder.update((record) => ({ ...record, ...(all.length > 0 ? { jobs: all } : {}), ...counts })).catch(() => undefined)
  }
}

/**
 * The end of the attempt, that a job has filled the disk (`full`), or that another start of the runner follows: `undefined`, or `early` if it
 * waited in vain, but no job could come yet (`LaunchWait`).
 */
type Served = Happened | 'full' | 'early' | undefined
