/**
 * The stages in which a group is created: its resource group, its network, the set at size 0, and the setting that keeps and ends its
 * machines. Everything is named and tagged for one incarnation.
 */
import type { CloudContext, Reference } from '../../core/cloud.ts'
import type { Resource } from '../../core/resource.ts'
import type { GroupKind } from '../vm/spot-standby.ts'
import type { Answer } from '../vm/transport.ts'
import type { Api } from './api.ts'
import { settingInput } from './autoscale.ts'
import { ENDINGS } from './deadline.ts'
import { isOfCapacity, noneThere, notYetKnown } from './errors.ts'
import { groupName, isSame, twinName } from './names.ts'
import { leftover, operated } from './operation.ts'
import type { GroupSizes } from './scale.ts'
import type { CallName } from './sdk.ts'
import { isMember } from './spot-standby.ts'
import { isMarked, tagsFor } from './tags.ts'
import { kindsOf, networkInput, setInput, type TemplateParams, wallInput } from './template.ts'

/** What is in the resource group, for people, in the order in which it is made. */
const NOUNS = {
  walls: 'security group',
  networks: 'network',
  sets: 'scale set',
  settings: 'autoscale setting',
} as const
type Noun = keyof typeof NOUNS

/** One way to make something. */
interface Way {
  body(): object
  /** Azure has accepted it. */
  accepted?(): void
}

export function blueprintOf(
  api: Api,
  params: TemplateParams,
  sizes: GroupSizes,
  { signal, log }: Pick<CloudContext, 'signal' | 'log'>,
): Resource[][] {
  const { spec, group, settings, placement } = params
  const isOwn = settings.resourceGroup === undefined
  const inside = (noun: Noun, name: string, ways: readonly Way[]): Resource => inGroup(api, { noun, name, group, isOwn, ways, signal })
  const name = groupName(spec.tags)
  const kinds = kindsOf(spec)
  return [
    ...(isOwn ? [[ownGroup(api, params, signal)]] : []),
    [
      inside('walls', name, [{ body: () => wallInput(params) }]),
      ...(placement.subnet ? [] : [inside('networks', name, [{ body: () => networkInput(params) }])]),
    ],
    kinds.map((kind) => inside('sets', kind.name, [setFor(kind, params, sizes)])),
    kinds.map((kind) => inside('settings', kind.name, endingsFor(kind.name, params, sizes, log))),
  ]
}

function setFor(kind: GroupKind, params: TemplateParams, sizes: GroupSizes): Way {
  return {
    body: () => {
      const made = setInput(params, kind)
      sizes.knows(kind.name, { sku: made.sku })
      return made
    },
  }
}

/** `set`: the name of the set. */
function endingsFor(set: string, params: TemplateParams, sizes: GroupSizes, log: CloudContext['log']): Way[] {
  return ENDINGS.map((ending) => ({
    body: () => {
      const made = settingInput(params, set, ending)
      sizes.knows(set, { setting: made })
      return made
    },
    accepted: () => {
      // With two sets, the user is warned only once.
      if (ending.warning !== undefined && set === groupName(params.spec.tags))
        log.warn(`az: Azure did not accept the autoscale setting that ends all machines: ${ending.warning}`)
    },
  }))
}

interface PartParams {
  readonly noun: Noun
  readonly name: string
  /** The resource group, and whether it is the deployment's own. */
  readonly group: string
  readonly isOwn: boolean
  /** Tried in order: the next one if Azure refuses a number of machines in the one before. */
  readonly ways: readonly Way[]
  readonly signal: AbortSignal
}

function inGroup(api: Api, { noun, name, group, isOwn, ways, signal }: PartParams): Resource {
  let at = 0
  let body: object | undefined
  const put = async (): Promise<Answer> => {
    const way = ways[at]
    // Another try must send the same body: Azure refuses a set with another key (PropertyChangeNotAllowed).
    body ??= way?.body()
    try {
      const answer = await api.answer(`${noun}.put`, `create ${NOUNS[noun]} ${name}`, { path: { group, name }, body, signal })
      way?.accepted?.()
      return answer
    } catch (error) {
      if (at + 1 === ways.length || !isOfCapacity(error)) throw isOwn ? notYetKnown(error) : error
      at += 1
      body = undefined
      return put()
    }
  }
  const made = operated(api, { kind: NOUNS[noun], name, signal, put, erase: eraser(api, noun, group, name) })
  // The one call that removes the resource group removes everything in it.
  return isOwn ? { ...made, remove: async () => 'absent' } : made
}

function ownGroup(api: Api, { spec, group, placement }: TemplateParams, signal: AbortSignal): Resource {
  return operated(api, {
    kind: 'resource group',
    name: group,
    signal,
    put: async () => {
      const body = { location: placement.region, tags: tagsFor(spec.tags) }
      return api.answer('groups.put', `create resource group ${group}`, { path: { group }, body, signal })
    },
    erase: groupEraser(api, group),
  })
}

function eraser(api: Api, noun: Noun, group: string, name: string): () => Promise<Answer | undefined> {
  const call: CallName = `${noun}.delete`
  const query = noun === 'sets' ? { forceDeletion: 'true' } : {}
  return async () => api.maybeAnswer(call, `remove ${NOUNS[noun]} ${name}`, { path: { group, name }, query })
}

/**
 * One call removes the group with everything in it; machines are not notified.
 * https://learn.microsoft.com/rest/api/resources/resource-groups/delete
 */
function groupEraser(api: Api, group: string): () => Promise<Answer | undefined> {
  const query = { forceDeletionTypes: 'Microsoft.Compute/virtualMachines,Microsoft.Compute/virtualMachineScaleSets' }
  return async () => api.maybeAnswer('groups.delete', `remove resource group ${group}`, { path: { group }, query })
}

/**
 * Everything of this incarnation that exists. `group`: the resource group. If it is the deployment's own, it is removed as a whole. In the user's
 * group, a machine that was removed by force may have left parts (https://github.com/MicrosoftDocs/azure-docs/issues/117342). They are found by
 * their tags, or by their names, which begin with that of their machine: a disk has no tags of its own
 * (https://github.com/hashicorp/terraform-provider-azurerm/issues/8162).
 */
export async function leftoversOf(api: Api, of: Reference, group: string): Promise<Resource[][]> {
  const name = groupName(of)
  if (isSame(group, name)) {
    const found = await api.maybe('groups.get', `look for resource group ${group}`, { path: { group } })
    return found ? [[leftover(api, { kind: 'resource group', name: group, erase: groupEraser(api, group) })]] : []
  }
  const look = async (noun: Noun, ...names: readonly string[]): Promise<Resource[]> => {
    const all = await Promise.all(
      names.map(async (one) => {
        const found = await api.maybe(`${noun}.get`, `look for ${NOUNS[noun]} ${one}`, { path: { group, name: one } })
        return found ? [leftover(api, { kind: NOUNS[noun], name: one, erase: eraser(api, noun, group, one) })] : []
      }),
    )
    return all.flat()
  }
  const parts = async (noun: 'nics' | 'addresses' | 'disks', kind: string): Promise<Resource[]> => {
    const all = await api.all(`${noun}.list`, `look for each ${kind}`, { path: { group } }).catch(noneThere)
    return all
      .filter(({ name: part = '', tags }) => isMarked(tags, of) || isMember(name, part) || isMember(twinName(of), part))
      .map(({ name: part = '' }) => {
        const erase = async (): Promise<Answer | undefined> =>
          api.maybeAnswer(`${noun}.delete`, `remove ${kind} ${part}`, { path: { group, name: part } })
        return leftover(api, { kind, name: part, erase })
      })
  }
  const [walls, networks, addresses, nics, disks, sets, settings] = await Promise.all([
    look('walls', name),
    look('networks', name),
    parts('addresses', 'address'),
    parts('nics', 'network interface'),
    parts('disks', 'disk'),
    look('sets', name, twinName(of)),
    look('settings', name, twinName(of)),
  ])
  return [[...walls, ...networks], addresses, [...nics, ...disks], sets, settings].filter((stage) => stage.length > 0)
}
