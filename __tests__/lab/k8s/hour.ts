/** What an hour of following costs the API server, from a part of it. */
import { LOOKS_AFTER } from '../../../src/engine/owner/presence.ts'
import { WATCH_FOR } from '../../../src/stores/http/server.ts'
import type { SeenRequest } from './control-plane.ts'

const HOUR = 3600
/** Seconds of the lease that users have. */
const TTL = 60
/** Seconds after which the slowest loops of a follower come round, by what each asks for: a part of an hour may not see them. */
const SLOW: Readonly<Record<string, number>> = { 'create watch': WATCH_FOR / 1000, 'get list': LOOKS_AFTER * TTL }

export interface Followed {
  /** Seconds of its beginning, whose requests count as they were. */
  readonly lead: number
  /** Seconds after that, until now, which all others are taken to be like. */
  readonly quiet: number
}

export interface Hour {
  readonly requests: number
  /** For people: how often each kind was seen in the quiet part, and how often it comes in an hour. */
  readonly kinds: string
}

/** Each kind by itself: as often as it was seen, and as often as its loop comes round where that is more. */
export function hourOf(requests: readonly SeenRequest[], { lead, quiet }: Followed): Hour {
  const from = Date.now() - quiet * 1000
  const seen = requests.filter((one) => Date.parse(one.requestReceivedTimestamp) > from).map(kindOf)
  const rows = [...new Set([...seen, ...Object.keys(SLOW)])].sort().map((kind) => {
    const count = seen.filter((one) => one === kind).length
    return { kind, count, hourly: Math.max(count / quiet, 1 / (SLOW[kind] ?? Number.POSITIVE_INFINITY)) * (HOUR - lead) }
  })
  return {
    requests: requests.length - seen.length + rows.reduce((sum, { hourly }) => sum + hourly, 0),
    kinds: rows.map(({ kind, count, hourly }) => `${kind} ${count} → ${Math.round(hourly)}`).join(', '),
  }
}

/** `update object` of a store, `list pods`. */
function kindOf({ verb, requestURI }: SeenRequest): string {
  const path = requestURI.split('?')[0] ?? ''
  return `${verb} ${path.slice(path.lastIndexOf('/') + 1)}`
}
