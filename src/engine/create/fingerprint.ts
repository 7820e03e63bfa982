/** What "the same command" means: keyed hashes of everything that determines what runs. Secrets and tokens are never included. */
import { createHmac } from 'node:crypto'
import type { CommonSpec } from '../../wire/spec.ts'

/** The parts of a request that are compared, by the name a user knows them by. */
export type Comparable = Readonly<Record<string, unknown>>

/**
 * For every field of a request: what is compared, by the names that users know; null if it changes how a run is followed, but not what runs.
 * Exhaustive by type, so that a new field cannot be forgotten: a command that differs in it would silently attach to what runs already.
 */
export type ComparedFields<Request> = {
  readonly [Field in keyof Request]-?: null | ((value: Request[Field]) => Comparable)
}

export function comparedParts<Request extends object>(request: Request, fields: ComparedFields<Request>): Comparable {
  const parts = Object.keys(fields).map((name) => {
    const field = name as keyof Request
    return fields[field]?.(request[field]) ?? {}
  })
  return Object.assign({}, ...parts) as Comparable
}

export function fingerprint(id: string, parts: Comparable): Record<string, string> {
  const hash = (value: unknown): string =>
    createHmac('sha256', id)
      .update(JSON.stringify(value) ?? 'undefined')
      .digest('hex')
      .slice(0, 24)
  return Object.fromEntries(
    Object.entries(parts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, hash(value)]),
  )
}

/** Names of the parts that differ, sorted. */
export function differences(there: CommonSpec['fingerprint'], here: CommonSpec['fingerprint']): string[] {
  const names = new Set([...Object.keys(there), ...Object.keys(here)])
  return [...names].filter((name) => there[name] !== here[name]).sort()
}
