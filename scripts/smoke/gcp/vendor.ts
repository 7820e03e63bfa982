/** Google Cloud, by the usual credentials of whoever runs the checks. */
import { Api as Calls } from '../../../src/clouds/gcp/api.ts'
import type { InstanceGroupManager, InstanceTemplate } from '../../../src/clouds/gcp/sdk.ts'
import { SERVICES } from '../../../src/clouds/gcp/sdk.ts'
import { settingsOf } from '../../../src/clouds/gcp/settings.ts'
import type { Check } from '../check.ts'
import type { Account, GroupSeen, Thing } from '../cloud/account.ts'
import type { Checked } from '../cloud/checks.ts'
import type { Runs } from '../cloud/runs.ts'
import { Api } from '../http.ts'

/** What lists say of one. */
interface Listed {
  readonly name: string
  readonly id?: string
  /** A URL. */
  readonly zone?: string
}

/** Resources of Compute, and what each is to us. Interfaces and addresses are parts of their machine. */
const KINDS = {
  instances: 'machine',
  disks: 'disk',
  instanceTemplates: 'template',
  instanceGroupManagers: 'group',
} as const

type Resource = keyof typeof KINDS

class GcpAccount implements Account {
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
    const zone = one.zone?.split('/').at(-1)
    await this.#call('POST', `/zones/${zone}/instances/${one.name}/simulateMaintenanceEvent`)
  }

  async template(run: string): Promise<InstanceTemplate | undefined> {
    return (await this.#all<InstanceTemplate & Listed>('instanceTemplates', run))[0]
  }

  /** Of all places, by their names, which a machine's and a disk's begin with. */
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

const notice: Check<Runs> = {
  id: 'notice',
  title: 'a longer notice before a machine is taken back',
  settles: 'docs/gcp.md: whether templates take a longer notice',
  async run(runs, trial) {
    const run = runs.pair()
    await runs.line(run, /smoke: begins 1 1 /)
    const template = await (runs.account as GcpAccount).template(run.name)
    const scheduling = template?.properties?.scheduling as
      | { readonly preemptionNoticeDuration?: { readonly seconds?: string | number } }
      | undefined
    const seconds = scheduling?.preemptionNoticeDuration?.seconds
    trial.noted('of the template', seconds === undefined ? 'the usual one: a longer one was refused' : `${seconds} s`)
  },
}

export const gcp: Checked = {
  id: 'gcp',
  page: 'docs/gcp.md',
  variables: /^(?:GOOGLE_|GCLOUD_|CLOUDSDK_|GCE_|STORAGE_EMULATOR_HOST$|NO_GCE_CHECK$|METADATA_SERVER_DETECTION$|ACTIONS_ID_TOKEN_)/,
  name: 'compute.googleapis.com',
  closed: ['169.254.169.254:80'],
  takesBack: 'simulateMaintenanceEvent',
  rights: 'compute.instances.simulateMaintenanceEvent, compute.disks.list, compute.firewalls.list',
  unproven: {
    'first-line': 'how long each step takes',
    leaving: 'which rights leaving a group needs besides',
    refill: 'how long each step takes',
    stop: 'how long each step takes',
    deadline: "what a group's wanted size is after Google has ended its machines",
  },
  checks: [notice],
  open: async (context) => new GcpAccount(new Calls(context, settingsOf(context))),
}
