/** Every deployment of a subscription, in whichever region and resource group: tags identify them, scale sets tell whether something runs. */
import type { Found, Reference } from '../../core/cloud.ts'
import type { LeftOut } from '../../core/tags.ts'
import type { Api } from './api.ts'
import { groupName, isSame, TAG, twinName } from './names.ts'
import type { AutoscaleSetting, ScaleSet, Thing } from './sdk.ts'
import { tagsOf } from './tags.ts'

export interface FoundGroup extends Found {
  /** Resource group. */
  readonly group: string
  /** The autoscale settings of its sets. */
  readonly settings: readonly AutoscaleSetting[]
  readonly sets: readonly ScaleSet[]
}

const groupIn = (id: string | undefined): string => /\/resourceGroups\/([^/]+)/i.exec(id ?? '')?.[1] ?? ''

/**
 * Lists every kind of resource that tpi makes: a command that was killed halfway may have left only a resource group, or a network in the
 * user's group. Each service is asked for its own resources, because a list of all resources by tag lacks their tags, and is some time behind
 * (https://learn.microsoft.com/rest/api/resources/resources/list#uri-parameters).
 */
export async function foundGroups(api: Api, tell: LeftOut, id?: string): Promise<readonly FoundGroup[]> {
  const tagged = { $filter: `tagName eq '${TAG.incarnation}'` }
  const [groups, walls, networks, settings, sets] = await Promise.all([
    api.all('groups.list', 'look for resource groups', { query: tagged }),
    api.all('walls.list', 'look for security groups'),
    api.all('networks.list', 'look for networks'),
    api.all('settings.list', 'look for autoscale settings'),
    api.all('sets.list', 'look for scale sets'),
  ])
  const all = new Map<string, FoundGroup>()
  const add = (thing: Thing, own: Partial<Pick<FoundGroup, 'settings' | 'sets'>> = {}): void => {
    const tags = tagsOf(thing.tags, tell)
    // Anybody can write tags. The name says the same, and only the maker can have given it.
    if (!tags || !isOf(tags, thing.name) || (id !== undefined && tags.id !== id)) return
    const name = groupName(tags)
    const before = all.get(name)
    const up = before?.phase === 'up' || own.sets?.some(({ sku }) => (sku?.capacity ?? 0) > 0) === true
    all.set(name, {
      tags,
      group: groupIn(thing.id),
      phase: up ? 'up' : 'stopped',
      settings: [...(before?.settings ?? []), ...(own.settings ?? [])],
      sets: [...(before?.sets ?? []), ...(own.sets ?? [])],
    })
  }
  for (const thing of [...groups, ...walls, ...networks]) add(thing)
  for (const setting of settings) add(setting, { settings: [setting] })
  for (const set of sets) add(set, { sets: [set] })
  return [...all.values()]
}

const isOf = (tags: Reference, name: string | undefined): boolean => isSame(name, groupName(tags)) || isSame(name, twinName(tags))

/** The resource group in which something bears the tag of this incarnation. */
export async function groupOf(api: Api, incarnation: string): Promise<string | undefined> {
  const query = { $filter: `tagName eq '${TAG.incarnation}' and tagValue eq '${incarnation}'` }
  const [first] = await api.all('resources.list', 'look for what is tagged', { query })
  return first && groupIn(first.id)
}
