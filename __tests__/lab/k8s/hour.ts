/** What an hour of following costs the API server, extrapolated from a part of it. */
import { LOOKS_AFTER } from '../../../src/engine/owner/presence.ts'
import { WATCH_FOR } from '../../../src/stores/http/server.ts'
import type { SeenRequest } from './control-plane.ts'

const HOUR = 3600
/** Seconds of the default lease. */
const TTL = 60
/** Periods in seconds of a follower's slowest loops, by request: a part of an hour may not contain them. */
const SLOW: Readonly<Record<string, number>> = { 'create watch': WATCH_FOR / 1000, 'get list': LOOKS_AFTER * TTL }

export interface Followed {
  /** Seconds at the beginning, whose requests are counted as they were. */
  readonly lead: number
  /** Seconds after that, until now, from which the rest of the hour is extrapolated. */
  readonly quiet: number
}

export interface Hour {
  readonly requests: number
  /** Readable: how often each kind occurred in the quiet part, and how often it occurs in an hour. */
  readonly kinds: string
}

/** Each kind separately: as often as it occurred, or as its loop runs, if that is more. */
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
