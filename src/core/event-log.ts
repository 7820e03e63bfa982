/** What a controller reports about a group. The cloud may mention the same event again and again. */
import type { CloudEvent } from './cloud.ts'

/**
 * What has happened to a group: each event once, in the order in which they first happened, and none that is older than what was reported
 * already. One that happens again has the time of the last one.
 */
export class EventLog {
  /** By key: where it is in the list. */
  readonly #said = new Map<string, number>()
  readonly #events: CloudEvent[] = []

  get events(): readonly CloudEvent[] {
    return [...this.#events]
  }

  /** `key`: identifies the event when it is seen again. */
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
