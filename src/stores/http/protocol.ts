/**
 * The protocol between client and server: plain HTTP, designed to pass unchanged through anything in between (the proxy of a Kubernetes API server).
 *
 * ```
 * GET  object?key=K[&from=N][&to=N]   bytes, version in a header; 404 when it does not exist
 * PUT  object?key=K                   body; condition in headers; answers with the version
 * GET  list?prefix=P[&after=K]        a page of lines [key, size], then {"more": true | false}
 * POST watch                          JSON array of requests; frames as they come (`frames.ts`), empty lines to show that the line is alive
 * POST remove                         JSON array of keys; of one, condition in headers
 * POST clear?prefix=P · POST init?prefix=P · GET health
 * ```
 *
 * Keys are sent as base64url in the query, because proxies may change paths. The token has a header of its own, because an API server does not
 * pass on `Authorization`. Every answer of this server has the header `ANSWER`; one without it comes from something in between.
 */
import { type Condition, StoreError, type StoreFault, type Version } from '../../wire/store.ts'

export const TOKEN = 'x-tpi-token'
export const ANSWER = 'x-tpi-store'
export const VERSION = 'x-tpi-version'
const CONDITION = 'x-tpi-if'

/** Milliseconds between two signs of life on an open `watch`. */
export const PULSE = 10_000
/** Entries of a page of `list`. */
export const PAGE = 1000

const STATUS: Readonly<Record<StoreFault, number>> = {
  conflict: 412,
  corrupt: 422,
  gone: 410,
  denied: 403,
  full: 507,
  unavailable: 503,
  invalid: 400,
}

export const statusOf = (kind: StoreFault): number => STATUS[kind]

export function faultOf(status: number): StoreFault {
  const [kind] = Object.entries(STATUS).find(([, own]) => own === status) ?? []
  return (kind as StoreFault | undefined) ?? 'unavailable'
}

export const encodeKey = (key: string): string => Buffer.from(key).toString('base64url')
export const decodeKey = (text: string): string => Buffer.from(text, 'base64url').toString()

export function conditionHeader(condition: Condition | undefined): Record<string, string> {
  if (condition === undefined) return {}
  return { [CONDITION]: 'absent' in condition ? 'absent' : `version ${encodeURIComponent(condition.version)}` }
}

export function conditionOf(headers: Readonly<Record<string, string | string[] | undefined>>): Condition | undefined {
  const text = headers[CONDITION]
  if (text === undefined) return undefined
  if (text === 'absent') return { absent: true }
  if (typeof text === 'string' && text.startsWith('version ')) return { version: decodeURIComponent(text.slice(8)) }
  throw new StoreError('invalid', 'storage: this server does not know that condition')
}

export const versionHeader = (version: Version): Record<string, string> => ({ [VERSION]: encodeURIComponent(version) })
export const versionOf = (text: string): Version => decodeURIComponent(text)
