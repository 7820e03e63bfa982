/** What a controller reports of a group, whose cloud may tell of a thing again and again. */
import type { CloudEvent } from './cloud.ts'

/** What has happened to a group: each thing once, oldest first, and nothing before what was reported already. */
export class EventLog {
  readonly #said = new Set<string>()
  readonly #events: CloudEvent[] = []

  get events(): readonly CloudEvent[] {
    return [...this.#events]
  }

  /** `key`: what makes it the same thing when it is seen again. */
  say(key: string, event: CloudEvent): void {
    if (this.#said.has(key)) return
    this.#said.add(key)
    const last = this.#events.at(-1)?.at ?? ''
    this.#events.push(event.at < last ? { ...event, at: last } : event)
  }
}
