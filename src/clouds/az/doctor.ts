/**
 * What can be checked before anything is created: subscription and providers, permissions, sizes, image, the machines' identity, the way out of
 * their network, quotas, the storage account.
 */
import type { Check } from '../../core/check.ts'
import type { MachinesRequest } from '../../core/cloud.ts'
import { ifDenied } from '../../core/errors.ts'
import { listed } from '../../lib/text.ts'
import { examined, needs, quotasOf } from '../vm/doctor.ts'
import { last } from '../vm/names.ts'
import { storageCheck } from '../vm/storage.ts'
import type { Api } from './api.ts'
import { requestFaults, reservedFaults } from './faults.ts'
import { accountName } from './names.ts'
import { callerCheck } from './permission-check.ts'
import { PROVIDERS } from './permissions.ts'
import { type Placement, placementOf } from './placement.ts'
import type { Usage } from './sdk.ts'
import type { Settings } from './settings.ts'
import { ours } from './store.ts'

export async function examine(api: Api, settings: Settings, request: MachinesRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
  return examined<Placement>({
    who: [
      'subscription',
      async () => {
        const { subscription, caller } = await api.names()
        return `${subscription} in ${settings.region}, as ${caller}`
      },
    ],
    faults: [...requestFaults(request), ...reservedFaults(settings, request)],
    placement: async () => placementOf(api, settings, request),
    choice: ({ choice, zones }) => ({ types: choice.types, zones: Math.max(zones.length, 1) }),
    local: request.size.scratch,
    of: (placement) => ({
      image: async () => `${last(placement.image.name)}${placement.trusted && placement.image.trusted ? ', by trusted launch' : ''}`,
      identity: async () => identityCheck(api, placement),
      'way out': async () => wayOut(settings, placement),
      quota: async () => quota(api, placement, request),
    }),
    besides: {
      providers: async () => providers(api),
      permissions: async () => callerCheck(api),
      ...(settings.resourceGroup !== undefined && { 'resource group': async () => groupCheck(api, settings.resourceGroup ?? '') }),
      ...(store === 'own' && {
        'storage account': async () => storageCheck(ours(api, accountName(await api.subscription(), api.region))),
      }),
    },
  })
}

async function providers(api: Api): Promise<string | Check> {
  const asked = await Promise.all(
    PROVIDERS.map(async (namespace) => ({
      namespace,
      state: (await api.maybe('providers.get', `look at ${namespace}`, { path: { namespace } }))?.registrationState ?? 'NotRegistered',
    })),
  )
  const missing = asked.filter(({ state }) => state !== 'Registered').map(({ namespace }) => namespace)
  if (missing.length === 0) return `all ${PROVIDERS.length} that are needed are registered`
  return {
    what: 'providers',
    state: 'fault',
    says: `${listed(missing, 'and')} ${missing.length === 1 ? 'is' : 'are'} not registered`,
    hint: missing.map((namespace) => `az provider register --namespace ${namespace}`).join(' && '),
  }
}

/**
 * Whether the machines' identity has a role in the subscription or below it.
 * https://learn.microsoft.com/rest/api/authorization/role-assignments/list-for-subscription
 */
async function identityCheck(api: Api, { identity: { id, principal } }: Placement): Promise<string | Check> {
  const name = last(id)
  const query = { $filter: `principalId eq '${principal}'` }
  const given = await api.all('assignments.list', `look for roles of ${name}`, { query }).catch(ifDenied(undefined))
  if (!given) return `machines are ${name}; whether it has a role cannot be seen`
  if (given.length > 0) return `machines are ${name}, which has a role`
  return {
    what: 'identity',
    // The identity may get its role through a group of the directory.
    state: 'warning',
    says: `machines are ${name}, which has no role of its own: they could not use their storage, nor leave their group`,
    hint: 'give it what "tpi permissions az" prints, or have it made: tpi permissions az --apply',
  }
}

async function groupCheck(api: Api, group: string): Promise<string | Check> {
  if (await api.maybe('groups.get', `look for resource group ${group}`, { path: { group } })) return `${group} is there`
  return {
    what: 'resource group',
    state: 'fault',
    says: `there is no ${group}`,
    hint: `az group create --name ${group} --location ${api.region}`,
  }
}

/** Machines download their program from Blob Storage and leave the group by Resource Manager, so they need a way out. */
function wayOut({ publicAddress }: Settings, { subnet }: Placement): string | Check {
  if (subnet?.nat) return `a NAT gateway or a route of your own in ${last(subnet.id)}: machines need no public address`
  if (publicAddress !== false) return 'a public address for each machine'
  return {
    what: 'way out',
    state: 'warning',
    says: 'machines have no public address, and no NAT gateway was found',
    hint: 'give --azure-subnet one that has a NAT gateway, or leave --public-address out',
  }
}

async function quota(api: Api, placement: Placement, { spot, count }: MachinesRequest): Promise<string | Check> {
  const all = await api.all('usages.list', `look at quotas of ${api.region}`, { path: { location: api.region } })
  return quotasOf(spot.want, async (market) => quotaSays(all, placement, market, count))
}

/** Every size of a set needs its own quota: https://learn.microsoft.com/azure/virtual-machines/quotas */
export function quotaSays(all: readonly Usage[], { sizes }: Pick<Placement, 'sizes'>, spot: boolean, count: number): string | Check {
  const shared = spot ? 'lowPriorityCores' : 'cores'
  const families = spot ? [] : sizes.map(({ family }) => family)
  const usageOf = (name: string): Usage | undefined => all.find((one) => one.name?.value?.toLowerCase() === name.toLowerCase())
  const seen = [...new Set([...families, shared])].flatMap((name) => usageOf(name) ?? [])
  if (seen.length === 0) return `not known for ${listed(sizes.map(({ name }) => name))}`
  const says = listed(
    seen.map((one) => `${one.name?.value ?? ''} ${one.currentValue ?? 0} of ${one.limit ?? 0}`),
    'and',
  )
  const short = sizes
    .flatMap(({ name, family, cpu }) => [...(spot ? [] : [family]), shared].map((of) => ({ name, cpu, usage: usageOf(of) })))
    .find(({ cpu, usage }) => usage && (usage.limit ?? 0) - (usage.currentValue ?? 0) < cpu * count)
  if (!short) return says
  const of = short.usage?.name?.value ?? ''
  return {
    what: 'quota',
    state: 'fault',
    says: `${says}: ${needs(short.name, short.cpu, count)} of ${of}`,
    hint: `ask for more: portal, Quotas, Compute, ${of}`,
  }
}
