/** Every deployment of a project, in all regions: templates say which there are, groups whether something runs. */
import type { Found, Lost, Reference } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import type { LeftOut } from '../../core/tags.ts'
import type { Api } from './api.ts'
import { groupName, twinName } from './names.ts'
import { isUp } from './observe.ts'
import { byScope, type Page } from './scopes.ts'
import type { InstanceTemplate } from './sdk.ts'
import { tagsOf } from './tags.ts'

export interface FoundGroup extends Found {
  readonly region: string
}

/** https://cloud.google.com/compute/docs/reference/rest/v1/instanceTemplates/aggregatedList (filter: a regular expression for the whole name) */
const OURS = 'name eq "tpi-.*"'

export async function foundGroups(api: Api, leftOut: LeftOut, lost: Lost | undefined, id?: string): Promise<readonly FoundGroup[]> {
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

const REGION = /^regions\//

/** The lists of each region, and the regions that did not answer: templates and groups of tpi are in no other scope. */
async function byRegion<L extends object>(ask: (token: string | undefined) => Promise<Page<L>>) {
  const { lists, away } = await byScope(ask)
  const regionOf = (scope: string): string[] => (REGION.test(scope) ? [scope.replace(REGION, '')] : [])
  return {
    lists: lists.flatMap(([scope, list]) => regionOf(scope).map((region) => [region, list] as const)),
    away: away.flatMap(regionOf),
  }
}
