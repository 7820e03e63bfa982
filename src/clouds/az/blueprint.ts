/** The stages in which a group comes into being, all named for one incarnation: its resource group, network, the set at 0, and what keeps and ends it. */
import type { CloudContext, Reference } from '../../core/cloud.ts'
import type { Resource } from '../../core/resource.ts'
import type { Answer } from '../vm/transport.ts'
import type { Api } from './api.ts'
import { type Keeper, settingInput } from './autoscale.ts'
import { noneThere, refusalIn, unheard } from './errors.ts'
import { groupName, isSame } from './names.ts'
import { leftover, operated } from './operation.ts'
import type { CallName, Thing } from './sdk.ts'
import { isMarked, tagsFor } from './tags.ts'
import { networkInput, type Plan, setInput, wallInput } from './template.ts'

/** What is in the resource group, in the order in which it is made. */
const NOUNS = {
  walls: 'security group',
  networks: 'network',
  sets: 'scale set',
  settings: 'autoscale setting',
} as const
type Noun = keyof typeof NOUNS

export function blueprintOf(api: Api, plan: Plan, keeper: Keeper, { signal, log }: Pick<CloudContext, 'signal' | 'log'>): Resource[][] {
  const { spec, group, settings, placement } = plan
  const name = groupName(spec.tags)
  const isOwn = settings.resourceGroup === undefined
  /** `other`: where what is asked for is refused. */
  const inside = (noun: Noun, input: () => object, other?: () => object): Resource => {
    // Whoever asks once more asks for the same: a set with another key in it is refused (PropertyChangeNotAllowed).
    let body: object | undefined
    const ask = async (): Promise<Answer> =>
      api.answer(`${noun}.put`, `create ${NOUNS[noun]} ${name}`, { path: { group, name }, body, signal })
    return operated(api, {
      kind: NOUNS[noun],
      name,
      signal,
      put: async () => {
        body ??= input()
        return ask()
          .catch(async (error: unknown) => {
            if (!other || refusalIn(error)?.status !== 400) throw error
            body = other()
            return ask()
          })
          .catch((error: unknown) => {
            throw isOwn ? unheard(error) : error
          })
      },
      erase: eraser(api, noun, group, name),
    })
  }
  const own = operated(api, {
    kind: 'resource group',
    name: group,
    signal,
    put: async () => {
      const body = { location: placement.region, tags: tagsFor(spec.tags) }
      return api.answer('groups.put', `create resource group ${group}`, { path: { group }, body, signal })
    },
    erase: groupEraser(api, group),
  })
  const setting = (most: 0 | 1): object => {
    const made = settingInput(plan, most)
    keeper.knows(made)
    return made
  }
  const another = (): object => {
    log.warn(
      'az: Azure takes no autoscale setting that ends all machines: one that hangs at the deadline stays until `tpi sweep` removes it',
    )
    return setting(1)
  }
  return [
    ...(isOwn ? [[own]] : []),
    [inside('walls', () => wallInput(plan)), ...(placement.subnet ? [] : [inside('networks', () => networkInput(plan))])],
    [inside('sets', () => setInput(plan))],
    [inside('settings', () => setting(0), another)],
  ]
}

function eraser(api: Api, noun: Noun, group: string, name: string): () => Promise<Answer | undefined> {
  const call: CallName = `${noun}.delete`
  const query = noun === 'sets' ? { forceDeletion: 'true' } : {}
  return async () => api.maybeAnswer(call, `remove ${NOUNS[noun]} ${name}`, { path: { group, name }, query })
}

/** One call, and all in it goes; machines without their farewell. https://learn.microsoft.com/rest/api/resources/resource-groups/delete */
function groupEraser(api: Api, group: string): () => Promise<Answer | undefined> {
  const query = { forceDeletionTypes: 'Microsoft.Compute/virtualMachines,Microsoft.Compute/virtualMachineScaleSets' }
  return async () => api.maybeAnswer('groups.delete', `remove resource group ${group}`, { path: { group }, query })
}

/**
 * `group`: where it is. One of its own goes as a whole. In another one, what a machine that was removed by force has left goes by its tags
 * (https://github.com/MicrosoftDocs/azure-docs/issues/117342).
 */
export async function leftoversOf(api: Api, of: Reference, group: string): Promise<Resource[][]> {
  const name = groupName(of)
  if (isSame(group, name)) {
    const found = await api.maybe('groups.get', `look for resource group ${group}`, { path: { group } })
    return found ? [[leftover(api, { kind: 'resource group', name: group, erase: groupEraser(api, group) })]] : []
  }
  const look = async (noun: Noun): Promise<Resource[]> => {
    const found = await api.maybe(`${noun}.get`, `look for ${NOUNS[noun]} ${name}`, { path: { group, name } })
    return found ? [leftover(api, { kind: NOUNS[noun], name, erase: eraser(api, noun, group, name) })] : []
  }
  const parts = async (noun: 'nics' | 'addresses', kind: string): Promise<Resource[]> => {
    const all = await api.all<Thing>(`${noun}.list`, `look for each ${kind}`, { path: { group } }).catch(noneThere)
    return all
      .filter(({ tags }) => isMarked(tags, of))
      .map(({ name: part = '' }) => {
        const erase = async (): Promise<Answer | undefined> =>
          api.maybeAnswer(`${noun}.delete`, `remove ${kind} ${part}`, { path: { group, name: part } })
        return leftover(api, { kind, name: part, erase })
      })
  }
  const [walls, networks, addresses, nics, sets, settings] = await Promise.all([
    look('walls'),
    look('networks'),
    parts('addresses', 'address'),
    parts('nics', 'network interface'),
    look('sets'),
    look('settings'),
  ])
  return [[...walls, ...networks], addresses, nics, sets, settings].filter((stage) => stage.length > 0)
}
