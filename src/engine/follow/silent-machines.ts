/** Machines that run but take no slot: after a while the user is told, with the reason that the cloud knows, and in the end they are given up. */
import type { Machine, Observation } from '../../core/cloud.ts'
import { messageOf } from '../../lib/text.ts'
import { isHeld, isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Deployment } from '../deployment.ts'

/** Milliseconds in which even a slow machine that runs takes its slot. */
const LATE = 30_000
/** Milliseconds after which it never will: no machine tries for so long to get its program (`boot/fetcher.ts`), or waits for its rights. */
const NEVER = 60 * 60_000

export class SilentMachines {
  readonly #d: Pick<Deployment, 'id' | 'incarnation' | 'cloud'>
  /** Machine → since when it runs without holding anything. */
  readonly #since = new Map<string, number>()
  /** Machines of which the user was told. */
  readonly #told = new Set<string>()
  /** Machines that have ended, and whose log was asked for. */
  readonly #ended = new Set<string>()
  /** Machine → the cloud's last answer to why it is silent. */
  readonly #logs = new Map<string, string>()
  /** Machine → why it is given up. */
  readonly #stuck = new Map<string, string>()

  constructor(d: Pick<Deployment, 'id' | 'incarnation' | 'cloud'>) {
    this.#d = d
  }

  /** To be called at each look. What the user should be told now. `now`: milliseconds, monotonic. */
  async look(slots: readonly SlotRecord[], { machines }: Observation, now: number): Promise<readonly string[]> {
    const awaited = machines.filter((machine) => isAwaited(machine, slots))
    for (const { id } of machines) if (!awaited.some((one) => one.id === id && one.state === 'running')) this.#since.delete(id)
    const reports = await Promise.all(awaited.map(async (machine) => this.#judge(machine, now)))
    return reports.filter((report) => report !== undefined)
  }

  /** The observation, with what is known here about machines that took nothing. */
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
    if (now - since < LATE || this.#told.has(id)) return undefined
    this.#told.add(id)
    return `machine ${id} has been running for ${LATE / 1000} s ${await this.#tell(machine)}`
  }

  /** Asks for the log of a machine that ends, because it will soon be unreadable. Not in numbered groups, whose cloud says how machines ended. */
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
