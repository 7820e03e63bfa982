/** What "the same command" means: keyed hashes of everything that decides what runs. Values of secrets and tokens are not among it. */
import { createHmac } from 'node:crypto'
import type { CommonSpec } from '../../wire/spec.ts'

/** What is compared, by the names of options. */
export type Comparable = Readonly<Record<string, unknown>>

/**
 * For every field of a request: what of it is compared; null if it does not change what runs. The type asks for every field, because a forgotten one
 * would do harm: a command that differs in it would silently attach to what runs already.
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

/** The hash of each part, by its name. `id`: of the deployment; it is the key, so hashes of different deployments cannot be compared. */
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
