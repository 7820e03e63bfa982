/** The events of a group, for clouds that mention the same event again and again. */
import type { CloudEvent } from './cloud.ts'

/**
 * Has each event once, in the order in which they were said first; none has an older time than the one before it. An event that is said again keeps
 * its place, and gets the later time.
 */
export class EventLog {
  /** Key → where its event is in the list. */
  readonly #said = new Map<string, number>()
  readonly #events: CloudEvent[] = []

  get events(): readonly CloudEvent[] {
    return [...this.#events]
  }

  /** Adds an event, unless one with this key is there already. */
  say(key: string, event: CloudEvent): void {
    const known = this.#said.get(key)
    const before = known === undefined ? undefined : this.#events[known]
    if (known !== undefined && before) {
      if (event.at > before.at) this.#events[known] = { ...before, at: event.at }
      return
    }
    const last = this.#events.at(-1)?.at ?? ''
    this.#said.set(key, this.#events.push(event.at < last ? { ...event, at: last } : event) - 1)
  }
}
