/** One index of the group and the machine in it. Knows nothing of slots: the agent's exit code and its word on leaving say enough. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { bootNow, pause } from '../../lib/clock.ts'
import { writeJson } from '../../lib/files.ts'
import { isAlive, type ProcessId, signalProcess } from '../../lib/process.ts'
import { removeTree } from '../../lib/remove.ts'
import { Staleness } from '../../lib/staleness.ts'
import { messageOf } from '../../lib/text.ts'
import { AGENT_DONE, AGENT_REPLACE } from '../../wire/machine.ts'
import type { Notice } from '../../wire/machine-side.ts'
import type { Group, GroupRecord, MachineFolder } from './folder.ts'
import { launchMachine } from './launch.ts'
import { killMachine, type ProcessEnd, reap, tidy, unwatchedEnd } from './reap.ts'

/** Milliseconds: a machine that dies sooner, and unasked, counts as one that does not start. */
const QUICK = 10_000
const BACKOFF = { first: 1000, most: 60_000 }
/** Dead machines of an index whose folders (logs, end) are kept. */
const KEPT = 20

interface Sitting {
  readonly folder: MachineFolder
  readonly process: ProcessId
  /** Boot clock. */
  readonly since: number
  /** How it ended; undefined inside for an agent that is not our child. */
  readonly exit: { done: boolean; code?: number | null; signal?: NodeJS.Signals | null }
  /** A reclaim is on: boot clock time of the end. */
  reclaim?: number
  readonly beats: Staleness
}

export class MachineKeeper {
  readonly index: number
  finished = false
  /** Machines of this index that are dead, every process of them. */
  readonly dead: string[] = []
  readonly #group: Group
  readonly #record: GroupRecord
  readonly #wake: () => void
  #sitting: Sitting | undefined
  #busy: Promise<void> | undefined
  #quick = 0
  #notBefore = 0

  constructor(index: number, group: Group, record: GroupRecord, wake: () => void) {
    this.index = index
    this.#group = group
    this.#record = record
    this.#wake = wake
  }

  get taken(): boolean {
    return this.#sitting !== undefined || this.#busy !== undefined
  }

  /** A machine to reclaim is here, and nobody has done so yet. */
  get reclaimable(): boolean {
    return this.#sitting !== undefined && this.#busy === undefined && this.#sitting.reclaim === undefined
  }

  /** Boot clock time of the next thing to do here that nothing else tells of. */
  get due(): number {
    if (this.#busy) return Number.POSITIVE_INFINITY
    if (this.#sitting) return this.#sitting.reclaim ?? Number.POSITIVE_INFINITY
    return this.#notBefore > bootNow() ? this.#notBefore : Number.POSITIVE_INFINITY
  }

  /** Takes over a living machine of a former supervisor. */
  adopt(folder: MachineFolder, process: ProcessId): void {
    this.#sitting = { folder, process, since: bootNow(), exit: { done: false }, beats: new Staleness() }
  }

  /** Looks after the machineSlot: one step at a time, never waiting for it. */
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

  async settled(): Promise<void> {
    await this.#busy
  }

  /** Ends whatever is here. */
  async clear(reason: string): Promise<void> {
    await this.settled()
    if (this.#sitting) await this.#end(this.#sitting.folder, { kind: 'info', reason, finished: false, quick: false })
  }

  /** Ends whatever is here and leaves no record: the folder is gone or going. */
  async abandon(): Promise<void> {
    await this.settled()
    if (this.#sitting) await killMachine(this.#sitting.folder)
  }

  /** `false`: the machine is gone, and the next one not here yet. */
  async reclaim(): Promise<boolean> {
    const sitting = this.#sitting
    if (!sitting || this.#busy || sitting.exit.done || !isAlive(sitting.process)) return this.finished
    if (sitting.reclaim !== undefined) return true
    const seconds = this.#record.settings.notice
    sitting.reclaim = bootNow() + seconds * 1000
    const notice: Notice = { kind: 'reclaim', at: new Date(Date.now() + seconds * 1000).toISOString(), seconds }
    await writeJson(sitting.folder.path('notice.json'), notice)
    const { name } = sitting.folder
    await this.#group.event('notice', `machine ${name} will be reclaimed in ${seconds} s`, { index: this.index, machine: name })
    return true
  }

  /** What is to be done now, if anything. */
  #step(wanted: boolean): Promise<void> | undefined {
    const sitting = this.#sitting
    if (!sitting) return wanted && !this.finished && bootNow() >= this.#notBefore ? this.#boot() : undefined
    if (sitting.exit.done || !isAlive(sitting.process)) return this.#ended(sitting)
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
      const exit: Sitting['exit'] = { done: false }
      this.#sitting = { folder, process: placed.process, since: bootNow(), exit, beats: new Staleness() }
      this.#watch(child, exit)
    } catch (error) {
      await killMachine(folder)
      await this.#end(folder, { kind: 'failure', reason: `could not be started: ${String(error)}`, finished: false, quick: true })
      return
    }
    await this.#group.event('info', `machine ${folder.name} started`, { index: this.index })
  }

  #watch(child: ChildProcess, exit: Sitting['exit']): void {
    const note = (code: number | null, signal: NodeJS.Signals | null): void => {
      Object.assign(exit, { done: true, code, signal })
      this.#wake()
    }
    if (child.exitCode !== null || child.signalCode !== null) note(child.exitCode, child.signalCode)
    else child.once('exit', note)
  }

  async #ended(sitting: Sitting): Promise<void> {
    // Our own children tell how they ended a moment after they are gone from the process table.
    if (!sitting.exit.done) await pause(50)
    await this.#end(sitting.folder, await this.#endOf(sitting))
  }

  async #endOf(sitting: Sitting): Promise<ProcessEnd> {
    const { done, code, signal } = sitting.exit
    if (!done) return unwatchedEnd(sitting.folder)
    if (code === AGENT_DONE) return { kind: 'info', reason: 'left the group', finished: true, quick: false }
    const reclaimed = sitting.reclaim !== undefined
    const quick = !reclaimed && bootNow() - sitting.since < QUICK
    if (code === AGENT_REPLACE && !reclaimed) return { kind: 'info', reason: 'asked to be replaced', finished: false, quick }
    const how = signal ? `killed by ${signal}` : `agent ended with code ${code}`
    if (!reclaimed) return { kind: 'failure', reason: how, finished: false, quick }
    return { kind: 'notice', reason: code === AGENT_REPLACE ? 'reclaimed' : `reclaimed (${how})`, finished: false, quick }
  }

  /** The group has shrunk: SIGTERM, a moment, SIGKILL. */
  async #dismiss(sitting: Sitting): Promise<void> {
    signalProcess(sitting.process, 'SIGTERM')
    const until = bootNow() + this.#record.settings.term * 1000
    while (bootNow() < until && !sitting.exit.done && isAlive(sitting.process)) await pause(20)
    if (!sitting.exit.done) await pause(20)
    const end = sitting.exit.code === AGENT_DONE ? await this.#endOf(sitting) : undefined
    // The process that closed the slot may scale down before the machine has left: its folder stays all the same.
    await this.#end(sitting.folder, end ?? { kind: 'info', reason: 'group scaled down', finished: false, quick: false }, true)
  }

  async #end(folder: MachineFolder, end: ProcessEnd, last = end.finished): Promise<void> {
    await reap(folder, end)
    this.#sitting = undefined
    this.finished ||= end.finished
    this.#quick = end.quick ? this.#quick + 1 : 0
    // The first replacement comes at once; only machines that keep dying are waited for.
    const wait = this.#quick < 2 ? 0 : Math.min(BACKOFF.first * 2 ** (this.#quick - 2), BACKOFF.most)
    this.#notBefore = bootNow() + wait
    await this.bury(folder, last && this.#record.keep === true)
    await this.#group.event(
      end.kind,
      `machine ${folder.name}: ${end.reason}${wait > 0 ? `; the next one starts in ${wait / 1000} s` : ''}`,
      { index: this.index, machine: folder.name },
    )
  }

  /** Remembers a dead machine, and forgets the oldest. Large remains go in the background: no replacement waits for them. */
  async bury(folder: MachineFolder, keep = false): Promise<void> {
    this.dead.push(folder.name)
    if (!keep) void tidy(folder).catch((error: unknown) => console.error(`${folder.name}:`, error))
    const old = this.dead.length > KEPT ? this.dead.shift() : undefined
    if (old !== undefined) await removeTree(this.#group.machine(old).folder)
  }

  /** It has shown life before, and none for long. Our own clock counts, not the file's. */
  #hung(sitting: Sitting): boolean {
    const now = performance.now()
    const beat = statSync(sitting.folder.path('beat'), { throwIfNoEntry: false })?.mtimeMs
    const silent = sitting.beats.for('beat', beat?.toString(), now)
    return beat !== undefined && silent > this.#record.settings.silence * 1000
  }

  async #trouble(error: unknown): Promise<void> {
    console.error(new Date().toISOString(), `slot ${this.index}:`, error)
    this.#notBefore = Math.max(this.#notBefore, bootNow() + BACKOFF.first)
    try {
      await this.#group.event('failure', `slot ${this.index}: ${messageOf(error)}`, { index: this.index })
    } catch {
      // The line above is all that can be said then.
    }
  }
}
