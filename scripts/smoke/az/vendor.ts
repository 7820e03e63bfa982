/** Azure, with the usual login of the user who runs the checks. */
import { Api as Calls } from '../../../src/clouds/az/api.ts'
import type { AutoscaleProfile } from '../../../src/clouds/az/sdk.ts'
import { settingsOf } from '../../../src/clouds/az/settings.ts'
import type { Account, End, GroupSeen, Thing } from '../cloud/account.ts'
import type { Checked } from '../cloud/checks.ts'
import { Api } from '../http.ts'

interface Listed {
  readonly id?: string
  readonly name?: string
  readonly type?: string
}

/** The checks' words for Azure's types; other types keep their own names. */
const KINDS: Readonly<Record<string, string>> = {
  'microsoft.compute/virtualmachines': 'machine',
  'microsoft.compute/disks': 'disk',
  'microsoft.network/networkinterfaces': 'interface',
  'microsoft.network/publicipaddresses': 'address',
}
const MACHINES = '2025-04-01'

/** Which of the ways to end a group (`src/clouds/az/deadline.ts`) the vendor has accepted: the last profile tells. */
function endBy(profiles: readonly AutoscaleProfile[]): End | undefined {
  const [first, last] = [profiles[0], profiles.at(-1)]
  if (!first?.fixedDate || !last) return undefined
  const { minimum, maximum } = last.capacity
  const at = new Date(first.fixedDate.end)
  if (!last.fixedDate) return { at, how: `the default profile has ${minimum} to ${maximum} machines, and holds`, leaves: Number(maximum) }
  const holds = Date.parse(last.fixedDate.end) > at.getTime()
  return holds
    ? { at, how: `a profile of ${maximum} machines holds for a year`, leaves: Number(maximum) }
    : { at, how: 'no profile holds, and machines are to delete themselves', leaves: Number(first.capacity.maximum) }
}

class AzAccount implements Account {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  async things(run: string): Promise<readonly Thing[]> {
    const [groups, all] = await Promise.all([this.#calls.all('groups.list', 'look for resource groups'), this.#all(run)])
    return [
      ...groups.flatMap(({ name = '' }) => (name.includes(run) ? [{ kind: 'resource group', name }] : [])),
      ...all.map(({ type = '', name = '' }) => ({ kind: KINDS[type.toLowerCase()] ?? type, name })),
    ]
  }

  async group(run: string): Promise<GroupSeen | undefined> {
    const [sets, settings] = await Promise.all([
      this.#calls.all('sets.list', 'look for scale sets'),
      this.#calls.all('settings.list', 'look for autoscale settings'),
    ])
    const set = sets.find(({ name }) => name?.includes(run))
    const profiles = settings.find(({ name }) => name?.includes(run))?.properties.profiles ?? []
    return set && { wanted: set.sku?.capacity ?? 0, ends: endBy(profiles) }
  }

  /** https://learn.microsoft.com/rest/api/compute/virtual-machines/simulate-eviction */
  async takeBack(run: string, machine: string): Promise<void> {
    const { id } =
      (await this.#all(run)).find(({ name, type }) => name === machine && KINDS[(type ?? '').toLowerCase()] === 'machine') ?? {}
    if (id === undefined) throw new Error(`there is no machine ${machine}`)
    const { credentials } = await (await this.#calls.login()).lend(new URL(this.#calls.root).origin)
    const api = new Api(this.#calls.root, { authorization: `Bearer ${credentials.token}` })
    await api.call('POST', `${id}/simulateEviction?api-version=${MACHINES}`)
  }

  /** Everything with the run in its name, or in a resource group with it. */
  async #all(run: string): Promise<readonly Listed[]> {
    return (await this.#calls.all('resources.list', 'look for all that there is')).filter(({ id = '' }) => id.includes(run))
  }
}

export const az: Checked = {
  id: 'az',
  variables: /^(?:AZURE_|ARM_|ACTIONS_ID_TOKEN_)/,
  name: 'management.azure.com',
  closed: ['169.254.169.254:80', '168.63.129.16:80', '168.63.129.16:32526'],
  takesBack: 'simulateEviction, which takes up to half an hour',
  rights: 'Microsoft.Compute/virtualMachines/simulateEviction/action',
  unproven: {
    'first-line': 'how long each step takes',
    switch: 'that autoscale takes a profile of 0 machines',
    leaving: 'that a removed machine lowers the size of its set, and whether network interfaces stay',
    refill: 'how soon it brings back what was taken away',
    stop: 'how long each step takes',
    rights: 'which rights a creation needs besides',
  },
  open: async (context) => new AzAccount(new Calls(context, settingsOf(context))),
}
