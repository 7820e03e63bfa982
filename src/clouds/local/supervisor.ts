/**
 * The supervisor keeps the wanted number of machines, replaces those that die, delivers reclaims, and ends everything at the hard deadline.
 * All of its state is in the group's folder: if it is killed at any moment, the next one adopts the living machines and goes on.
 */
import { closeSync, writeSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { bootNow, pause } from '../../lib/clock.ts'
import { readJson, watchQuietly, writeJson } from '../../lib/files.ts'
import type { ProcessId } from '../../lib/process.ts'
import { beatClaim, claimSupervision, resign, type SupervisorClaim } from './claim.ts'
import { hardDue } from './deadline.ts'
import { Group, type GroupRecord, type ReclaimRecord, reclaimShape } from './folder.ts'
import { machineFolders } from './home.ts'
import { MachineKeeper } from './machine-keeper.ts'
import { agentLives, reap, unwatchedEnd } from './reap.ts'
import { Rehearsal } from './rehearsal.ts'

/** Milliseconds between two looks when nothing happens. */
const POLL = 1000
/** Milliseconds that a group may wait at size 0 for its first machine. */
const IDLE = 60_000

/** `supervise <group folder> [ready]`: resolves to the exit code. With `ready`, it reports on descriptor 3 once a supervisor is in office. */
export async function supervise([folder, ready]: readonly string[]): Promise<number> {
  if (folder === undefined) {
    console.error('usage: supervise <group folder>')
    return 64
  }
  const group = new Group(folder)
  const record = await group.read()
  if (!record) {
    console.error(`${folder} is not a group`)
    return 64
  }
  const office = await claimSupervision(group)
  const supervisor = office && new Supervisor(group, record, office)
  await supervisor?.adopt()
  if (ready === 'ready') sayReady()
  return supervisor ? supervisor.run() : 0
}

function sayReady(): void {
  try {
    writeSync(3, 'ready\n')
    closeSync(3)
  } catch {
    // The process that started this one is gone.
  }
}

/** In place of an agent that is gone, if other processes of its machine are not. */
const GONE: ProcessId = { pid: 0, start: 'gone' }

class Supervisor {
  readonly #group: Group
  readonly #record: GroupRecord
  readonly #due: number
  readonly #keepers: MachineKeeper[] = []
  readonly #rehearsal: Rehearsal | undefined
  readonly #since = bootNow()
  #claim: SupervisorClaim
  #wanted = 0
  #everWanted = false
  #wake: () => void = () => undefined
  #woken = false

  constructor(group: Group, record: GroupRecord, office: SupervisorClaim) {
    this.#group = group
    this.#record = record
    this.#claim = office
    this.#due = hardDue(record)
    this.#rehearsal = record.rehearse && new Rehearsal(record.rehearse, office.number)
  }

  /** Finds what earlier supervisors left: living machines are kept, all others are ended and recorded. */
  async adopt(): Promise<void> {
    const found = await machineFolders(this.#group)
    const { count } = await this.#group.wanted()
    this.#everWanted = found.length > 0
    for (const { folder, record } of found) {
      const keeper = this.#keeper(record?.config.index ?? 0)
      if (record?.process && !record.exit && agentLives(record) && !keeper.taken) {
        keeper.adopt(folder, record.process.process)
        continue
      }
      try {
        const end = record?.exit ?? { ...(await unwatchedEnd(folder)), dismissed: keeper.index >= count }
        if (!record?.exit) await reap(folder, end)
        keeper.finished ||= end.finished
        await keeper.bury(folder, end)
      } catch (error) {
        // Some process cannot be killed (yet): the index stays taken, and its keeper tries again.
        console.error(new Date().toISOString(), error)
        if (!keeper.taken) keeper.adopt(folder, GONE)
      }
    }
    if (this.#claim.number > 1) await this.#group.event('info', 'a new supervisor has taken over')
  }

  async run(): Promise<number> {
    const watcher = watchQuietly(this.#group.folder, () => this.#stir())
    try {
      for (;;) {
        const end = await this.#look().catch(async (error: unknown) => {
          // For example a full disk, or no file descriptors left: that passes, and the group still needs a supervisor.
          console.error(new Date().toISOString(), error)
          await pause(POLL)
        })
        if (end !== undefined) return end
        await this.#rest()
      }
    } finally {
      watcher?.close()
      await Promise.all(this.#keepers.map(async (keeper) => keeper.tidied()))
    }
  }

  /** One round. Resolves to an exit code when the work is over. */
  async #look(): Promise<number | undefined> {
    beatClaim(this.#group, this.#claim)
    if (await this.#removed()) return this.#abandon()
    if (bootNow() >= this.#due) return this.#expire()
    this.#wanted = (await this.#group.wanted()).count
    this.#everWanted ||= this.#wanted > 0
    for (let index = 0; index < this.#wanted; index += 1) this.#keeper(index)
    await this.#reclaims()
    for (const keeper of this.#keepers) keeper.tend(keeper.index < this.#wanted)
    return this.#idle() ? this.#retire() : undefined
  }

  #keeper(index: number): MachineKeeper {
    for (let next = this.#keepers.length; next <= index; next += 1) {
      this.#keepers.push(new MachineKeeper(next, this.#group, this.#record, () => this.#stir()))
    }
    const keeper = this.#keepers[index]
    if (!keeper) throw new RangeError(`no keeper ${index}`)
    return keeper
  }

  /** The group's folder is gone, or being removed. */
  async #removed(): Promise<boolean> {
    return (await this.#group.read()) === undefined
  }

  async #abandon(): Promise<number> {
    await Promise.all(this.#keepers.map(async (keeper) => keeper.abandon()))
    return 0
  }

  async #expire(): Promise<number> {
    try {
      await this.#group.want({ count: 0, why: 'deadline' })
      await Promise.all(this.#keepers.map(async (keeper) => keeper.clear('killed at the hard deadline')))
      await this.#group.event('failure', `hard deadline ${this.#record.hardDeadline}: everything that was left is killed`)
    } catch (error) {
      // On a full disk, nothing can be recorded until there is room; but nothing may run any longer.
      await this.#abandon()
      throw error
    }
    await resign(this.#group, this.#claim)
    return 0
  }

  async #reclaims(): Promise<void> {
    for (const name of (await readdir(this.#group.folder)).filter((entry) => /^reclaim-.*\.json$/.test(entry))) {
      const request = await readJson(this.#group.path(name), reclaimShape)
      if (request && !(await this.#reclaimed(name, request))) continue
      await rm(this.#group.path(name), { force: true })
    }
    const candidates = this.#keepers.filter((keeper) => keeper.reclaimable)
    await this.#rehearsal?.pick(candidates)?.reclaim()
  }

  /**
   * `false`: the machine does not exist yet, so the request stays. A request for all machines becomes one for each, with names that are the same
   * whichever supervisor does it.
   */
  async #reclaimed(name: string, { index }: ReclaimRecord): Promise<boolean> {
    const keepers = this.#keepers.slice(0, this.#wanted)
    if (index !== undefined) return (await keepers[index]?.reclaim()) ?? true
    for (const keeper of keepers)
      await writeJson(this.#group.path(name.replace(/\.json$/, `-${keeper.index}.json`)), { index: keeper.index })
    this.#stir()
    return true
  }

  /** Whether there is nothing to do, and nothing to wait for. */
  #idle(): boolean {
    if (this.#keepers.some((keeper) => keeper.taken)) return false
    if (this.#wanted === 0) return this.#everWanted || bootNow() - this.#since > IDLE
    return this.#keepers.length >= this.#wanted && this.#keepers.slice(0, this.#wanted).every((keeper) => keeper.finished)
  }

  /**
   * Resigns first and then looks once more: either a command that scales up meanwhile sees no supervisor and starts one, or this process
   * still sees the request.
   */
  async #retire(): Promise<number | undefined> {
    await resign(this.#group, this.#claim)
    const { count } = await this.#group.wanted()
    this.#wanted = count
    if (this.#idle()) return 0
    const again = await claimSupervision(this.#group)
    if (!again) return 0
    this.#claim = again
    return undefined
  }

  #stir(): void {
    this.#woken = true
    this.#wake()
  }

  async #rest(): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const next = Math.min(this.#due, ...this.#keepers.map((keeper) => keeper.due))
        const timer = setTimeout(resolve, Math.max(1, Math.min(POLL, next - bootNow())))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#woken = false
  }
}
