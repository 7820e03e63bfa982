/** What a controller reports about a group. The cloud may mention the same event again and again. */
import type { CloudEvent } from './cloud.ts'

/** What has happened to a group: each event once, oldest first, and none that is older than what was reported already. */
export class EventLog {
  readonly #said = new Set<string>()
  readonly #events: CloudEvent[] = []

  get events(): readonly CloudEvent[] {
    return [...this.#events]
  }

  /** `key`: identifies the event when it is seen again. */
  say(key: string, event: CloudEvent): void {
    if (this.#said.has(key)) return
    this.#said.add(key)
    const last = this.#events.at(-1)?.at ?? ''
    this.#events.push(event.at < last ? { ...event, at: last } : event)
  }
}
