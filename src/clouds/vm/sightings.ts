/** What one controller has seen of one incarnation. A group forgets a machine that is gone at once; this does not. */
import type { Machine, Observation } from '../../core/cloud.ts'
import { EventLog } from '../../core/event-log.ts'
import type { End } from './messages.ts'

export const ABSENT: Observation = { phase: 'absent', wanted: 0, machines: [], events: [] }

export class Sightings {
  readonly eventLog = new EventLog()
  readonly #machines = new Map<string, Machine>()

  get(id: string): Machine | undefined {
    return this.#machines.get(id)
  }

  /** What is not known this time stays as it was. */
  see(
    id: string,
    state: Machine['state'],
    facts: { readonly startedAt?: string | undefined; readonly address?: string | undefined },
  ): void {
    const before = this.#machines.get(id)
    const startedAt = facts.startedAt ?? before?.startedAt
    const address = facts.address ?? before?.address
    this.#machines.set(id, { id, state, ...(startedAt !== undefined && { startedAt }), ...(address && { address }) })
  }

  /** Those that were there before. */
  lost(present: ReadonlySet<string>): readonly string[] {
    return [...this.#machines.values()].filter(({ id, state }) => state !== 'gone' && !present.has(id)).map(({ id }) => id)
  }

  /** `at`: absent where nobody said when. `called`: for people. */
  lose(id: string, { text, kind }: End, at: string | undefined, called = id): void {
    this.#machines.set(id, { ...this.#machines.get(id), id, state: 'gone', reason: text })
    this.eventLog.say(`end ${id}`, { at: at ?? now(), kind, text: `machine ${called}: ${text}`, machine: id })
  }

  /** `present`: how many machines the group has, those without a number yet among them. */
  observation(wanted: number, present: number): Observation {
    const machines = [...this.#machines.values()].sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1))
    return { phase: wanted === 0 && present === 0 ? 'stopped' : 'up', wanted, machines, events: this.eventLog.events }
  }
}

export const now = (): string => new Date().toISOString()

/** Of a vendor's time, in whichever zone it is; one that names none is of UTC. `undefined`: it is no time. */
export function isoOf(time: Date | string | null | undefined): string | undefined {
  const date = new Date(typeof time === 'string' && !/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? `${time}Z` : (time ?? ''))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
