/** What all groups of methods share: a call, and its answer. */

import type { OperationParams } from './operations.ts'
import { SUBSCRIPTION } from './resources.ts'
import type { Fields } from './tables.ts'

export interface Asked {
  /** `compute:virtualMachineScaleSets.get` */
  readonly name: string
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Fields
  /** Path of the request. */
  readonly url: string
  /** `https://127.0.0.1:1234` */
  readonly origin: string
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The operation that continues after the answer. */
  readonly goes?: OperationParams
}

export type Method = (asked: Asked) => Reply | Promise<Reply>
export type Methods = Readonly<Record<string, Method>>

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const record = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const part = ({ path }: Asked, name: string): string => path[name] ?? ''

/** The path at which a provider reports its operations. */
export const placeOf = (provider: string, location: string): string =>
  `/subscriptions/${SUBSCRIPTION}/providers/${provider}/locations/${location}`

/**
 * One page of items, with a link to the next one if there are more:
 * https://learn.microsoft.com/rest/api/azure/#async-operations-throttling-and-paging
 */
export function paged({ query, url, origin }: Asked, all: readonly unknown[], size: number): Reply {
  const start = Number(query.get('$skipToken') ?? 0)
  const next = new URLSearchParams(query)
  next.set('$skipToken', String(start + size))
  const more = start + size < all.length
  return ok({ value: all.slice(start, start + size), ...(more && { nextLink: `${origin}${url}?${next.toString()}` }) })
}
