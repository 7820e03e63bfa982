/**
 * How many calls per token GitHub documents that it accepts; beyond that it refuses, with headers that say for how long:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api. Removals count as changes, but not as created content, which
 * is our reading of "content-generating requests". A change costs five points, a read one.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const MOST = { anHour: 5000, atOnce: 100, changesAMinute: 80, creationsAnHour: 500, pointsAMinute: 900 } as const

interface Call {
  readonly at: number
  readonly change: boolean
  readonly creation: boolean
  /** The path without its numbers, which do not make another endpoint. */
  readonly endpoint: string
}

interface Refusal {
  readonly status: 403
  readonly headers: Readonly<Record<string, string>>
}

export class Limits {
  readonly #calls = new Map<string, Call[]>()
  #underWay = 0
  /** The highest number of concurrent calls. */
  mostAtOnce = 0
  /** Refusals, by limit. */
  readonly refused: (keyof typeof MOST)[] = []

  begin(): void {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#underWay)
  }

  end(): void {
    this.#underWay--
  }

  /** `undefined`: the call is accepted. */
  admit(token: string, method: string, path: string, now: number): Refusal | undefined {
    const before = (this.#calls.get(token) ?? []).filter(({ at }) => now - at < HOUR)
    const call = {
      at: now,
      change: method !== 'GET',
      creation: method !== 'GET' && method !== 'DELETE',
      endpoint: `${method} ${path.replace(/\d+/g, 'N')}`,
    }
    this.#calls.set(token, [...before, call])
    const minute = before.filter(({ at }) => now - at < MINUTE)
    if (this.#underWay > MOST.atOnce) return this.#refuse('atOnce', { 'retry-after': '1' })
    const oldest = before[0]?.at ?? now
    if (before.length >= MOST.anHour)
      return this.#refuse('anHour', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil((oldest + HOUR) / 1000)) })
    const wait = { 'retry-after': String(Math.ceil(((minute[0]?.at ?? now) + MINUTE - now) / 1000)) }
    if (call.change && minute.filter(({ change }) => change).length >= MOST.changesAMinute) return this.#refuse('changesAMinute', wait)
    const creations = before.filter(({ creation }) => creation)
    if (call.creation && creations.length >= MOST.creationsAnHour)
      return this.#refuse('creationsAnHour', { 'retry-after': String(Math.ceil(((creations[0]?.at ?? now) + HOUR - now) / 1000)) })
    const points = minute.filter(({ endpoint }) => endpoint === call.endpoint).length * (call.change ? 5 : 1)
    return points >= MOST.pointsAMinute ? this.#refuse('pointsAMinute', wait) : undefined
  }

  #refuse(limit: keyof typeof MOST, headers: Readonly<Record<string, string>>): Refusal {
    this.refused.push(limit)
    return { status: 403, headers }
  }
}
