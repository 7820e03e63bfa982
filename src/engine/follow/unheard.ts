/** Machines that run, and from which nothing is heard: each is reported once, with what its cloud knows of the reason. */
import type { Machine, Observation } from '../../core/cloud.ts'
import { messageOf } from '../../lib/text.ts'
import { isHeld, isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { Deployment } from '../deployment.ts'

/** Milliseconds in which a machine that runs takes its slot, however slow it is. */
const LATE = 30_000

export class Unheard {
  readonly #d: Pick<Deployment, 'id' | 'incarnation' | 'cloud'>
  /** Machines that run and hold nothing: since when. */
  readonly #since = new Map<string, number>()
  readonly #said = new Set<string>()

  constructor(d: Pick<Deployment, 'id' | 'incarnation' | 'cloud'>) {
    this.#d = d
  }

  /** What is to be reported now. `now`: milliseconds, monotonic. */
  async look(slots: readonly SlotRecord[], { machines }: Observation, now: number): Promise<readonly string[]> {
    const late = machines.filter((machine) => {
      if (machine.state !== 'running' || !isAwaited(machine, slots)) return void this.#since.delete(machine.id)
      const since = this.#since.get(machine.id) ?? now
      this.#since.set(machine.id, since)
      return now - since >= LATE && !this.#said.has(machine.id)
    })
    return Promise.all(late.map(async (machine) => this.#tell(machine)))
  }

  async #tell({ id, bootLog = '' }: Machine): Promise<string> {
    this.#said.add(id)
    const why = await this.#d.cloud.unheard?.(this.#d, id).catch(messageOf)
    const log = why === undefined && bootLog !== '' ? `; its log ends: ${bootLog.trimEnd()}` : ''
    return `machine ${id} has been running for ${LATE / 1000} s without a sign of life${why === undefined ? log : `: ${why}`}`
  }
}

/** Some slot waits for a machine, this one has never had one in hand, and where machines are numbered it is of this slot. */
function isAwaited({ id, index }: Machine, slots: readonly SlotRecord[]): boolean {
  if (slots.some(({ holder, attempts }) => holder === id || attempts.some((attempt) => attempt.holder === id))) return false
  return slots.some((slot) => !isTerminal(slot.state) && !isHeld(slot) && (index === undefined || index === slot.index))
}
