/** Every deployment of a project, in all regions: templates say which there are, groups whether something runs. */
import type { Cloud, Found, Reference } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import type { LeftOut } from '../../core/tags.ts'
import { pagesOf } from '../vm/pages.ts'
import type { Api } from './api.ts'
import { groupName, twinName } from './names.ts'
import { isUp } from './observe.ts'
import type { InstanceTemplate } from './sdk.ts'
import { tagsOf } from './tags.ts'

export interface FoundGroup extends Found {
  readonly region: string
}

/** https://cloud.google.com/compute/docs/reference/rest/v1/instanceTemplates/aggregatedList (filter: a regular expression for the whole name) */
const OURS = 'name eq "tpi-.*"'

export async function foundGroups(
  api: Api,
  leftOut: LeftOut,
  lost: Parameters<Cloud['list']>[0],
  id?: string,
): Promise<readonly FoundGroup[]> {
  const query = { filter: OURS, maxResults: 500 }
  const [templates, groups] = await Promise.all([
    byRegion(async (pageToken) =>
      api.call('compute:instanceTemplates.aggregatedList', 'look for templates', { query: { ...query, pageToken } }),
    ),
    byRegion(async (pageToken) =>
      api.call('compute:instanceGroupManagers.aggregatedList', 'look for groups', { query: { ...query, pageToken } }),
    ),
  ])
  const away = new Set([...templates.away, ...groups.away])
  for (const where of away) {
    const error = new RemoteError(`gcp: ${where} does not answer`, { retryable: true })
    if (!lost) throw error
    lost(where, error)
  }
  const up = new Set(
    groups.lists.flatMap(([region, { instanceGroupManagers }]) =>
      (instanceGroupManagers ?? []).filter(isUp).map(({ name }) => `${region} ${name}`),
    ),
  )
  const known = templates.lists
    .filter(([region]) => !away.has(region))
    .flatMap(([region, { instanceTemplates }]) => (instanceTemplates ?? []).map((template) => ({ template, region })))
  return deploymentsOf(known, up, leftOut).filter(({ tags }) => id === undefined || tags.id === id)
}

/** Each deployment once, though it may have two groups. `up`: groups of which something runs. */
function deploymentsOf(
  known: readonly { template: InstanceTemplate; region: string }[],
  up: ReadonlySet<string>,
  leftOut: LeftOut,
): readonly FoundGroup[] {
  const all = new Map<string, FoundGroup>()
  for (const { template, region } of known) {
    const tags = tagsOf(template, leftOut)
    if (!tags || !isOf(tags, template.name)) continue
    const key = `${region} ${groupName(tags)}`
    const runs = all.get(key)?.phase === 'up' || up.has(`${region} ${template.name}`)
    all.set(key, { tags, region, phase: runs ? 'up' : 'stopped' })
  }
  return [...all.values()]
}

/** The template's name must say the same as its facts: only the maker of a deployment can have given it that name. */
const isOf = (tags: Reference, name: string | null | undefined): boolean => name === groupName(tags) || name === twinName(tags)

/** The list of one scope: a region, a zone, or what is global. */
interface ScopedList {
  readonly warning?: { readonly code?: string | null } | null
}

interface Page<L extends ScopedList> {
  readonly items?: { readonly [scope: string]: L } | null
  readonly nextPageToken?: string | null
  readonly unreachables?: readonly string[] | null
}

interface Regions<L> {
  readonly lists: readonly (readonly [region: string, L])[]
  /** Regions that did not answer. */
  readonly away: readonly string[]
}

const REGION = /(?:^|\/)regions\/([^/]+)$/

/** The lists of all pages, by region: templates and groups of tpi are in no other scope. Only groups have `unreachables`; templates have warnings. */
async function byRegion<L extends ScopedList>(ask: (token: string | undefined) => Promise<Page<L>>): Promise<Regions<L>> {
  const lists: (readonly [string, L])[] = []
  const scopesAway: string[] = []
  for await (const { items, unreachables } of pagesOf(ask, ({ nextPageToken }) => nextPageToken)) {
    scopesAway.push(...(unreachables ?? []))
    for (const [scope, list] of Object.entries(items ?? {})) {
      const [, region] = REGION.exec(scope) ?? []
      if (list.warning?.code === 'UNREACHABLE') scopesAway.push(scope)
      else if (region !== undefined) lists.push([region, list])
    }
  }
  return { lists, away: scopesAway.flatMap((scope) => REGION.exec(scope)?.[1] ?? []) }
}
