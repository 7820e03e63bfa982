/** A project of Google Cloud, as the checks see it. */
import type { Api as Calls } from '../../../src/clouds/gcp/api.ts'
import type { Autoscaler, InstanceGroupManager, InstanceTemplate } from '../../../src/clouds/gcp/sdk.ts'
import { SERVICES } from '../../../src/clouds/gcp/sdk.ts'
import { last } from '../../../src/clouds/vm/names.ts'
import type { Account, GroupSeen, Thing } from '../cloud/account.ts'
import { Api } from '../http.ts'

/** What lists say about a resource. */
interface Listed {
  readonly name: string
  readonly id?: string
  /** A URL. */
  readonly zone?: string
}

/** Resources of Compute, and the checks' words for them. Interfaces and addresses are parts of their machine. */
const KINDS = {
  instances: 'machine',
  disks: 'disk',
  instanceTemplates: 'template',
  instanceGroupManagers: 'group',
  autoscalers: 'autoscaler',
} as const

type Resource = keyof typeof KINDS

/** The two groups of a run with `spot: prefer`. */
export interface Pair {
  readonly spot: InstanceGroupManager
  readonly twin: InstanceGroupManager
  /** What starts the twin. */
  readonly autoscaler: Autoscaler | undefined
  /** How each machine of the twin is paid for, in the vendor's words. */
  readonly machines: readonly string[]
}

interface Machine extends Listed {
  readonly scheduling?: { readonly provisioningModel?: string }
}

export class GcpAccount implements Account {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  async things(run: string): Promise<readonly Thing[]> {
    const resources = Object.keys(KINDS) as Resource[]
    const [rules, ...found] = await Promise.all([this.#rules(run), ...resources.map(async (resource) => this.#all(resource, run))])
    return [
      ...found.flatMap((all, at) => all.map(({ name }) => ({ kind: KINDS[resources[at] ?? 'instances'], name }))),
      ...rules.map(({ name }) => ({ kind: 'firewall rule', name })),
    ]
  }

  async group(run: string): Promise<GroupSeen | undefined> {
    const [[group], template] = await Promise.all([
      this.#all<InstanceGroupManager & Listed>('instanceGroupManagers', run),
      this.template(run),
    ])
    if (!group) return undefined
    const at = template?.properties?.scheduling?.terminationTime
    return {
      wanted: group.targetSize ?? 0,
      ends: at ? { at: new Date(at), how: 'terminationTime of its template deletes its machines' } : undefined,
    }
  }

  async takeBack(run: string, machine: string): Promise<void> {
    const one = (await this.#all('instances', run)).find(({ id, name }) => id === machine || name === machine)
    if (!one) throw new Error(`there is no machine ${machine}`)
    const zone = last(one.zone)
    await this.#call('POST', `/zones/${zone}/instances/${one.name}/simulateMaintenanceEvent`)
  }

  async template(run: string): Promise<InstanceTemplate | undefined> {
    return (await this.#all<InstanceTemplate & Listed>('instanceTemplates', run))[0]
  }

  async pair(run: string): Promise<Pair | undefined> {
    const [groups, [autoscaler], machines] = await Promise.all([
      this.#all<InstanceGroupManager & Listed>('instanceGroupManagers', run),
      this.#all<Autoscaler & Listed>('autoscalers', run),
      this.#all<Machine>('instances', run),
    ])
    const [spot, twin] = [false, true].map((second) => groups.find(({ name }) => name.endsWith('-on-demand') === second))
    if (!spot || !twin) return undefined
    const own = machines.filter(({ name }) => name.startsWith(`${twin.name}-`))
    return { spot, twin, autoscaler, machines: own.map(({ scheduling }) => scheduling?.provisioningModel ?? 'STANDARD') }
  }

  async empty({ name, region }: InstanceGroupManager): Promise<void> {
    await this.#call('POST', `/regions/${last(region)}/instanceGroupManagers/${name}/resize?size=0`)
  }

  /** In all places, by name: names of machines and disks begin with the run's. */
  async #all<T extends Listed>(resource: Resource, run: string): Promise<readonly T[]> {
    const found: T[] = []
    let page = ''
    do {
      const answer = (await this.#call('GET', `/aggregated/${resource}?maxResults=500${page}`)) as {
        readonly items?: Readonly<Record<string, Readonly<Partial<Record<Resource, readonly T[]>>>>>
        readonly nextPageToken?: string
      }
      found.push(...Object.values(answer.items ?? {}).flatMap((scope) => scope[resource] ?? []))
      page = answer.nextPageToken ? `&pageToken=${encodeURIComponent(answer.nextPageToken)}` : ''
    } while (page !== '')
    return found.filter(({ name }) => name.includes(run))
  }

  async #rules(run: string): Promise<readonly Listed[]> {
    const { items = [] } = (await this.#call('GET', '/global/firewalls')) as { readonly items?: readonly Listed[] }
    return items.filter(({ name }) => name.includes(run))
  }

  async #call(method: string, path: string): Promise<unknown> {
    const [project, { token = '' }] = await Promise.all([this.#calls.project(), this.#calls.source().get()])
    const root = this.#calls.elsewhere('compute') ?? SERVICES.compute.url
    return (await new Api(`${root}projects/${project}`, { authorization: `Bearer ${token}` }).call(method, path)).data
  }
}
