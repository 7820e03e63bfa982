/** Lists of a whole project, which Google gives by scope: a region, a zone, or what is global. */
import { pagesOf } from '../vm/pages.ts'

export interface Page<L extends object> {
  readonly items?: { readonly [scope: string]: L & { readonly warning?: { readonly code?: string | null } | null } } | null
  readonly nextPageToken?: string | null
  readonly unreachables?: readonly string[] | null
}

interface Scopes<L> {
  /** A scope is `regions/NAME`, `zones/NAME` or `global`. */
  readonly lists: readonly (readonly [scope: string, L])[]
  /** Scopes that did not answer. */
  readonly away: readonly string[]
}

/**
 * All pages of a list that the vendor may give in part (`returnPartialSuccess`). Which scopes are missing is said in `unreachables` by some lists, and
 * by a warning in place of their items by others.
 */
export async function byScope<L extends object>(ask: (token: string | undefined) => Promise<Page<L>>): Promise<Scopes<L>> {
  const lists: (readonly [string, L])[] = []
  const away = new Set<string>()
  for await (const { items, unreachables } of pagesOf(ask, ({ nextPageToken }) => nextPageToken)) {
    for (const scope of unreachables ?? []) away.add(short(scope))
    for (const [scope, list] of Object.entries(items ?? {})) {
      if (list.warning?.code === 'UNREACHABLE') away.add(short(scope))
      else lists.push([short(scope), list])
    }
  }
  return { lists, away: [...away] }
}

/** Some answers name a scope by its URL. */
const short = (scope: string): string => /(?:regions|zones)\/[^/]+$/.exec(scope)?.[0] ?? scope
