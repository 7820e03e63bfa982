/** Machines that run but take no slot: each is reported after a while, with the reason as far as its cloud knows, and given up in the end. */
import type { Machine, Observation } from '../../core/cloud.ts'
import { messageOf } from '../../lib/text.ts'
import { isHeld, isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Deployment } from '../deployment.ts'

/** Milliseconds in which a running machine should take its slot, even if it is slow. */
const LATE = 30_000
/** Milliseconds after which it never will: longer than any machine tries to get its program (`boot/fetcher.ts`) or waits for its rights. */
const NEVER = 60 * 60_000

export class SilentMachines {
  readonly #d: Pick<Deployment, 'id' | 'incarnation' | 'cloud'>
  /** Machines that run and hold nothing: since when. */
  readonly #since = new Map<string, number>()
  readonly #said = new Set<string>()
  readonly #ended = new Set<string>()
  /** The last known log of a machine that took nothing. */
  readonly #logs = new Map<string, string>()
  readonly #stuck = new Map<string, string>()

  constructor(d: Pick<Deployment, 'id' | 'incarnation' | 'cloud'>) {
    this.#d = d
  }

  /** What is to be reported now. `now`: milliseconds, monotonic. */
  async look(slots: readonly SlotRecord[], { machines }: Observation, now: number): Promise<readonly string[]> {
    const awaited = machines.filter((machine) => isAwaited(machine, slots))
    for (const { id } of machines) if (!awaited.some((one) => one.id === id && one.state === 'running')) this.#since.delete(id)
    const reports = await Promise.all(awaited.map(async (machine) => this.#judge(machine, now)))
    return reports.filter((report) => report !== undefined)
  }

  /** With what was found out about machines that took nothing. */
  known(seen: Observation): Observation {
    const machines = seen.machines.map((machine) => {
      const [stuck, said] = [this.#stuck.get(machine.id), this.#logs.get(machine.id)]
      return { ...machine, ...(said !== undefined && { said }), ...(stuck !== undefined && { stuck }) }
    })
    return { ...seen, machines }
  }

  async #judge(machine: Machine, now: number): Promise<string | undefined> {
    const { id, state } = machine
    if (state === 'leaving' || state === 'gone') return this.#lost(machine)
    if (state !== 'running') return undefined
    const since = this.#since.get(id) ?? now
    this.#since.set(id, since)
    if (now - since >= NEVER && !this.#stuck.has(id)) this.#stuck.set(id, `it has been running for an hour ${await this.#tell(machine)}`)
    if (now - since < LATE || this.#said.has(id)) return undefined
    this.#said.add(id)
    return `machine ${id} has been running for ${LATE / 1000} s ${await this.#tell(machine)}`
  }

  /** Its log will soon be unreadable. If machines have numbers, their cloud says how they ended. */
  async #lost(machine: Machine): Promise<undefined> {
    if (machine.index !== undefined || this.#ended.has(machine.id)) return
    this.#ended.add(machine.id)
    if (!this.#logs.has(machine.id)) await this.#read(machine).catch(() => undefined)
  }

  async #tell(machine: Machine): Promise<string> {
    const why = await this.#read(machine).catch(messageOf)
    const { bootLog = '' } = machine
    const log = why === undefined && bootLog !== '' ? `; its log ends: ${bootLog.trimEnd()}` : ''
    return `without a sign of life${why === undefined ? log : `: ${why}`}`
  }

  async #read({ id }: Machine): Promise<string | undefined> {
    const said = await this.#d.cloud.whySilent?.(this.#d, id)
    if (said !== undefined) this.#logs.set(id, said)
    return said
  }
}

/** Some slot is waiting for a machine, this one has never held a slot, and (if machines are numbered) it is for that slot. */
function isAwaited({ id, index }: Machine, slots: readonly SlotRecord[]): boolean {
  if (slots.some(({ holder, attempts }) => holder === id || attempts.some((attempt) => attempt.holder === id))) return false
  return slots.some((slot) => !isTerminal(slot.state) && !isHeld(slot) && (index === undefined || index === slot.index))
}
