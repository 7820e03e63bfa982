/** What one controller has seen of one incarnation. A vendor's group forgets machines that are gone at once; this does not. */
import { byStart, type CloudEvent, type Machine, type Observation } from '../../core/cloud.ts'
import { EventLog } from '../../core/event-log.ts'
import type { End, Said } from './messages.ts'

export class Sightings {
  readonly eventLog = new EventLog()
  readonly #machines = new Map<string, Machine>()
  /** Texts of events that concern only spot machines. */
  readonly #spotOnly = new Set<string>()

  get(id: string): Machine | undefined {
    return this.#machines.get(id)
  }

  /** A machine could not be made. The vendor keeps trying and always reports the same, so each reason is reported once. */
  fail({ spotOnly, ...said }: Said, at: string | undefined): void {
    if (spotOnly) this.#spotOnly.add(said.text)
    this.eventLog.say(`fail ${said.text}`, { at: at ?? now(), ...said })
  }

  /** Facts that are unknown this time stay as they were. */
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

  /** Machines that were there before and are missing now. */
  lost(present: ReadonlySet<string>): readonly string[] {
    return [...this.#machines.values()].filter(({ id, state }) => state !== 'gone' && !present.has(id)).map(({ id }) => id)
  }

  /** `at`: absent if the vendor does not say when. `called`: the machine's name, for people. */
  lose(id: string, { text, kind }: End, at: string | undefined, called = id): void {
    this.#machines.set(id, { ...this.#machines.get(id), id, state: 'gone', reason: text })
    this.eventLog.say(`end ${id}`, { at: at ?? now(), kind, text: `machine ${called}: ${text}`, machine: id })
  }

  /**
   * `present`: number of machines in the group, including those that have no id yet. `hasTwin`: machines at full price may come, so a refusal of
   * spot machines alone counts as a lack of capacity, and does not end the run.
   */
  observation(wanted: number, present: number, hasTwin: boolean): Observation {
    const machines = [...this.#machines.values()].sort(byStart)
    const events = this.eventLog.events.map((event) => (hasTwin && this.#spotOnly.has(event.text) ? onlyCapacity(event) : event))
    return { phase: wanted === 0 && present === 0 ? 'stopped' : 'up', wanted, machines, events }
  }
}

const onlyCapacity = ({ at, text }: CloudEvent): CloudEvent => ({
  at,
  kind: 'capacity',
  text: `${text}; machines at full price are tried once spot-wait is over`,
})

export const now = (): string => new Date().toISOString()

/** A vendor's time in any time zone; without one it is UTC. `undefined`: it is not a time. */
export function isoOf(time: Date | string | null | undefined): string | undefined {
  const date = new Date(typeof time === 'string' && !/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? `${time}Z` : (time ?? ''))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
