/** Every deployment of a project, in all regions: templates say which there are, groups whether something runs. */
import type { Cloud, Found, Reference } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import type { LeftOut } from '../../core/tags.ts'
import { last } from '../vm/names.ts'
import { pagesOf } from '../vm/pages.ts'
import type { Api } from './api.ts'
import { groupName, twinName } from './names.ts'
import { isUp } from './observe.ts'
import type { InstanceGroupManager, InstanceTemplate } from './sdk.ts'
import { tagsOf } from './tags.ts'

export interface FoundGroup extends Found {
  readonly region: string
}

/** https://cloud.google.com/compute/docs/reference/rest/v1/instanceTemplates/aggregatedList (filter: a regular expression for the whole name) */
const OURS = 'name eq "tpi-.*"'

interface Page {
  readonly items?: { readonly [scope: string]: object } | null
  readonly nextPageToken?: string | null
  readonly unreachables?: readonly string[] | null
}

export async function foundGroups(
  api: Api,
  leftOut: LeftOut,
  lost: Parameters<Cloud['list']>[0],
  id?: string,
): Promise<readonly FoundGroup[]> {
  // Only the list of groups reports regions that do not answer.
  const away = new Set<string>()
  const tell = (scopes: readonly string[]): void => scopes.forEach((scope) => away.add(last(scope)))
  const query = { filter: OURS, maxResults: 500 }
  const [templates, groups] = await Promise.all([
    pages(async (pageToken) =>
      api.call('compute:instanceTemplates.aggregatedList', 'look for templates', { query: { ...query, pageToken } }),
    ),
    pages(
      async (pageToken) => api.call('compute:instanceGroupManagers.aggregatedList', 'look for groups', { query: { ...query, pageToken } }),
      tell,
    ),
  ])
  for (const where of away) {
    const error = new RemoteError(`gcp: ${where} does not answer`, { retryable: true })
    if (!lost) throw error
    lost(where, error)
  }
  const up = new Set(
    groups.flatMap(([scope, { instanceGroupManagers }]: readonly [string, { instanceGroupManagers?: InstanceGroupManager[] | null }]) =>
      (instanceGroupManagers ?? []).filter(isUp).map(({ name }) => `${last(scope)} ${name}`),
    ),
  )
  const known = templates.flatMap(([scope, { instanceTemplates }]: readonly [string, { instanceTemplates?: InstanceTemplate[] | null }]) =>
    away.has(last(scope)) ? [] : (instanceTemplates ?? []).map((template) => ({ template, region: last(scope) })),
  )
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

/** All scopes of all pages. */
async function pages<P extends Page>(
  ask: (token: string | undefined) => Promise<P>,
  tell: (unreachable: readonly string[]) => void = () => undefined,
): Promise<readonly (readonly [string, NonNullable<P['items']>[string]])[]> {
  const all: (readonly [string, NonNullable<P['items']>[string]])[] = []
  for await (const page of pagesOf(ask, ({ nextPageToken }) => nextPageToken)) {
    tell(page.unreachables ?? [])
    all.push(...(Object.entries(page.items ?? {}) as [string, NonNullable<P['items']>[string]][]))
  }
  return all
}
