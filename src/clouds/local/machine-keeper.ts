/** Keeps one index of the group staffed with a machine. All that it knows of the machine's work is the agent's exit code and its departure. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { bootNow, pause } from '../../lib/clock.ts'
import { isFull } from '../../lib/error-code.ts'
import { writeJson } from '../../lib/files.ts'
import { isAlive, type ProcessId, signalProcess } from '../../lib/process.ts'
import { removeTree } from '../../lib/remove.ts'
import { Awake, Staleness } from '../../lib/staleness.ts'
import { messageOf } from '../../lib/text.ts'
import { AGENT_DONE, AGENT_REPLACE } from '../../wire/machine.ts'
import type { Notice } from '../../wire/machine-side.ts'
import type { Group, GroupRecord, MachineFolder } from './folder.ts'
import { launchMachine } from './launch.ts'
import { keepsWork, killMachine, type ProcessEnd, reap, tidy, unwatchedEnd } from './reap.ts'

/** Milliseconds: a machine that dies sooner, without being told to, counts as one that does not start. */
const QUICK = 10_000
/** Milliseconds for which a child that is dead by the process table may take to report how it ended: threads of it may still be ending. */
const REPORT = 5000
/** Milliseconds of pauses between machines that do not start. */
const BACKOFF = { first: 1000, most: 60_000 }
/** Number of dead machines of an index whose folders (logs, end) are kept. */
const KEPT = 20

interface Exit {
  done: boolean
  code?: number | null
  signal?: NodeJS.Signals | null
}

/** The machine that holds the index now. */
interface Sitting {
  readonly folder: MachineFolder
  readonly process: ProcessId
  /** By the boot clock. */
  readonly since: number
  /** How it ended. Absent: the agent is not a child of this process, so the system will not report its end. */
  readonly exit?: Exit
  /** Present while it is being reclaimed: the time of its end, by the boot clock. */
  reclaim?: number
  readonly beats: Staleness
}

export class MachineKeeper {
  readonly index: number
  /** The slot is done: the index gets no further machine. */
  finished = false
  /** Dead machines of this index, of which no process is left. */
  readonly dead: string[] = []
  readonly #group: Group
  readonly #record: GroupRecord
  readonly #wake: () => void
  #sitting: Sitting | undefined
  #busy: Promise<void> | undefined
  readonly #awake: Awake
  /** How many machines in a row have died soon after their start. */
  #quick = 0
  /** When the next machine may start, by the boot clock. */
  #notBefore = 0
  /** Removals of work directories, one after the other. */
  #tidying: Promise<void> = Promise.resolve()

  constructor(index: number, group: Group, record: GroupRecord, wake: () => void) {
    this.index = index
    this.#group = group
    this.#record = record
    this.#wake = wake
    this.#awake = new Awake(this.#silence, performance.now())
  }

  /** Milliseconds. */
  get #silence(): number {
    return this.#record.settings.silence * 1000
  }

  /** There is a machine, or one is being started or ended. */
  get taken(): boolean {
    return this.#sitting !== undefined || this.#busy !== undefined
  }

  /** There is a machine, and nobody has reclaimed it yet. */
  get reclaimable(): boolean {
    return this.#sitting !== undefined && this.#busy === undefined && this.#sitting.reclaim === undefined
  }

  /** Time of the next step that no event announces, by the boot clock. */
  get due(): number {
    if (this.#busy) return Number.POSITIVE_INFINITY
    if (this.#sitting) return this.#sitting.reclaim ?? Number.POSITIVE_INFINITY
    return this.#notBefore > bootNow() ? this.#notBefore : Number.POSITIVE_INFINITY
  }

  /** Takes over a living machine of an earlier supervisor. */
  adopt(folder: MachineFolder, process: ProcessId): void {
    this.#sitting = { folder, process, since: bootNow(), beats: new Staleness() }
  }

  /** Takes the next step for this index, without waiting for it. */
  tend(wanted: boolean): void {
    if (this.#busy) return
    const step = this.#step(wanted)
    if (!step) return
    this.#busy = step
      .catch(async (error: unknown) => this.#trouble(error))
      .finally(() => {
        this.#busy = undefined
        this.#wake()
      })
  }

  /** Resolves when the step that is under way is done. */
  async settled(): Promise<void> {
    await this.#busy
  }

  /** Resolves when no work directory is being removed any more. */
  async tidied(): Promise<void> {
    await this.#tidying
  }

  /** Ends the machine, if there is one. */
  async clear(reason: string): Promise<void> {
    await this.settled()
    if (this.#sitting) await this.#end(this.#sitting.folder, { kind: 'info', reason, finished: false, quick: false })
  }

  /** Ends the machine without a record, because the group's folder is gone or being removed. */
  async abandon(): Promise<void> {
    await this.settled()
    if (this.#sitting) await killMachine(this.#sitting.folder)
  }

  /** `false`: the machine is gone, and the next one does not exist yet. */
  async reclaim(): Promise<boolean> {
    const sitting = this.#sitting
    if (!sitting || this.#busy || !lives(sitting)) return this.finished
    if (sitting.reclaim !== undefined) return true
    const seconds = this.#record.settings.notice
    sitting.reclaim = bootNow() + seconds * 1000
    const notice: Notice = { kind: 'reclaim', at: new Date(Date.now() + seconds * 1000).toISOString(), seconds }
    await writeJson(sitting.folder.path('notice.json'), notice)
    const { name } = sitting.folder
    await this.#group.event('notice', `machine ${name} will be reclaimed in ${seconds} s`, { index: this.index, machine: name })
    return true
  }

  /** The next step, if any. */
  #step(wanted: boolean): Promise<void> | undefined {
    const sitting = this.#sitting
    if (!sitting) return wanted && !this.finished && bootNow() >= this.#notBefore ? this.#boot() : undefined
    if (!lives(sitting)) return this.#ended(sitting)
    if (!wanted) return this.#dismiss(sitting)
    if (sitting.reclaim !== undefined && bootNow() >= sitting.reclaim) {
      return this.#end(sitting.folder, { kind: 'notice', reason: 'reclaimed', finished: false, quick: false })
    }
    if (!this.#hung(sitting)) return undefined
    const reason = `no sign of life for ${this.#record.settings.silence} s`
    return this.#end(sitting.folder, { kind: 'failure', reason, finished: false, quick: false })
  }

  async #boot(): Promise<void> {
    const folder = this.#group.machine(`m${this.index}-${randomBytes(8).toString('hex')}`)
    try {
      const { child, placed } = await launchMachine(this.#group, folder, this.#record, { index: this.index, dead: this.dead })
      const exit: Exit = { done: false }
      this.#sitting = { folder, process: placed.process, since: bootNow(), exit, beats: new Staleness() }
      this.#watch(child, exit)
    } catch (error) {
      await killMachine(folder)
      const reason = `could not be started: ${messageOf(error)}`
      await this.#end(folder, { kind: 'failure', reason, finished: false, quick: true }).catch(async (unrecorded: unknown) => {
        // A full disk, for example: the next try has a folder of its own.
        this.#delay(true)
        await removeTree(folder.folder)
        throw unrecorded
      })
      return
    }
    await this.#group.event('info', `machine ${folder.name} started`, { index: this.index })
  }

  #watch(child: ChildProcess, exit: Exit): void {
    const note = (code: number | null, signal: NodeJS.Signals | null): void => {
      Object.assign(exit, { done: true, code, signal })
      this.#wake()
    }
    if (child.exitCode !== null || child.signalCode !== null) note(child.exitCode, child.signalCode)
    else child.once('exit', note)
  }

  async #ended(sitting: Sitting): Promise<void> {
    await reported(sitting)
    await this.#end(sitting.folder, await this.#endOf(sitting))
  }

  async #endOf(sitting: Sitting): Promise<ProcessEnd> {
    if (!sitting.exit?.done) return unwatchedEnd(sitting.folder)
    const { code, signal } = sitting.exit
    if (code === AGENT_DONE) return { kind: 'info', reason: 'left the group', finished: true, quick: false }
    const reclaimed = sitting.reclaim !== undefined
    const quick = !reclaimed && bootNow() - sitting.since < QUICK
    if (code === AGENT_REPLACE && !reclaimed) return { kind: 'info', reason: 'asked to be replaced', finished: false, quick }
    const how = signal ? `killed by ${signal}` : `agent ended with code ${code}`
    if (!reclaimed) return { kind: 'failure', reason: how, finished: false, quick }
    return { kind: 'notice', reason: code === AGENT_REPLACE ? 'reclaimed' : `reclaimed (${how})`, finished: false, quick }
  }

  /** The group has shrunk: SIGTERM, a pause, SIGKILL. */
  async #dismiss(sitting: Sitting): Promise<void> {
    signalProcess(sitting.process, 'SIGTERM')
    const until = bootNow() + this.#record.settings.term * 1000
    while (bootNow() < until && lives(sitting)) await pause(20)
    if (!lives(sitting)) await reported(sitting)
    const end = sitting.exit?.code === AGENT_DONE ? await this.#endOf(sitting) : undefined
    await this.#end(sitting.folder, end ?? { kind: 'info', reason: 'group scaled down', finished: false, quick: false, dismissed: true })
  }

  async #end(folder: MachineFolder, end: ProcessEnd): Promise<void> {
    await reap(folder, end).catch(async (error: unknown) => {
      if (!isFull(error) || keepsWork(this.#record, end)) throw error
      // Perhaps its own files fill the disk.
      await tidy(folder)
      await reap(folder, end)
    })
    this.#sitting = undefined
    this.finished ||= end.finished
    const wait = this.#delay(end.quick)
    await this.bury(folder, end)
    await this.#group.event(
      end.kind,
      `machine ${folder.name}: ${end.reason}${wait > 0 ? `; the next one starts in ${wait / 1000} s` : ''}`,
      { index: this.index, machine: folder.name },
    )
  }

  /**
   * Sets when the next machine may start; returns in how many milliseconds. The first replacement starts at once: there is a pause only if machines
   * keep dying soon.
   */
  #delay(quick: boolean): number {
    this.#quick = quick ? this.#quick + 1 : 0
    const wait = this.#quick < 2 ? 0 : Math.min(BACKOFF.first * 2 ** (this.#quick - 2), BACKOFF.most)
    this.#notBefore = bootNow() + wait
    return wait
  }

  /** Notes a dead machine, and removes the folder of the oldest. Work directories are removed in the background: no replacement waits for that. */
  async bury(folder: MachineFolder, end: ProcessEnd): Promise<void> {
    this.dead.push(folder.name)
    if (!keepsWork(this.#record, end))
      this.#tidying = this.#tidying.then(async () => tidy(folder)).catch((error: unknown) => console.error(`${folder.name}:`, error))
    const old = this.dead.length > KEPT ? this.dead.shift() : undefined
    if (old !== undefined) await removeTree(this.#group.machine(old).folder)
  }

  /** It has given a sign of life before, but none for long. This process's clock counts, not the time of the file. */
  #hung(sitting: Sitting): boolean {
    const now = performance.now()
    const beat = statSync(sitting.folder.path('beat'), { throwIfNoEntry: false })?.mtimeMs
    const silent = this.#awake.heard(sitting.beats.for('beat', beat?.toString(), now), now)
    return beat !== undefined && silent > this.#silence
  }

  async #trouble(error: unknown): Promise<void> {
    console.error(new Date().toISOString(), `slot ${this.index}:`, error)
    this.#notBefore = Math.max(this.#notBefore, bootNow() + BACKOFF.first)
    try {
      await this.#group.event('failure', `slot ${this.index}: ${messageOf(error)}`, { index: this.index })
    } catch {
      // Not even that can be written: the line in the log has to be enough.
    }
  }
}

function lives({ exit, process }: Sitting): boolean {
  return !exit?.done && isAlive(process)
}

/** Waits until a child that no longer lives has reported how it ended, for a while. */
async function reported({ exit }: Sitting): Promise<void> {
  if (!exit) return
  const until = bootNow() + REPORT
  while (!exit.done && bootNow() < until) await pause(20)
}
