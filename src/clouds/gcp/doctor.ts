/** What can be checked before anything is created: the project and its APIs, machines, image, network and its way out, quotas, the bucket. */
import type { Check } from '../../core/check.ts'
import type { MachineRequest, MachinesRequest } from '../../core/cloud.ts'
import { listed } from '../../lib/text.ts'
import { examined, needs, quotasOf, unchecked } from '../vm/doctor.ts'
import { last } from '../vm/names.ts'
import { storageCheck } from '../vm/storage.ts'
import type { Api } from './api.ts'
import { requestFaults, reservedFaults } from './faults.ts'
import { CATALOGUE } from './machine-types.ts'
import { bucketName } from './names.ts'
import { callerCheck } from './permission-check.ts'
import { type Placement, placementOf } from './placement.ts'
import type { Prices } from './price.ts'
import type { Project, Quota, Region } from './sdk.ts'
import type { Settings } from './settings.ts'
import { isOurs } from './store.ts'

interface Examined {
  readonly api: Api
  readonly settings: Settings
  readonly prices: Pick<Prices, 'quote'>
}

export async function examine(
  { api, settings, prices }: Examined,
  request: MachinesRequest,
  store: 'own' | 'given',
): Promise<readonly Check[]> {
  return examined<Placement>({
    // This also shows whether the API of Compute Engine is switched on.
    who: [
      'project',
      async () => {
        const [{ name }, login] = await Promise.all([api.about(), api.login()])
        return `${name ?? ''} in ${settings.region}, as ${login.email ?? login.who}`
      },
    ],
    faults: [...requestFaults(request), ...reservedFaults(settings, request)],
    placement: async () => placementOf(api, settings, request),
    choice: ({ choice, zones }) => ({ types: choice.types, zones: zones.length }),
    local: request.size.scratch,
    of: (found) => ({
      image: async () => `${last(found.image.url)}, ${found.image.gigabytes} GB`,
      identity: async () => machinesAre(found),
      'way out': async () => wayOut(settings, found),
      quota: async () => quota(api, found, request),
      price: async () => price(prices, found, request),
    }),
    besides: { permissions: async () => callerCheck(api), ...(store === 'own' && { bucket: async () => bucketCheck(api) }) },
  })
}

async function bucketCheck(api: Api): Promise<string | Check> {
  const name = bucketName(await api.project(), api.region)
  return storageCheck({ name, isOurs: async () => isOurs(api, name) })
}

/** A service account that may not be used is reported with the faults of the machines. */
function machinesAre({ account: { email, unseen } }: Placement): string | Check {
  if (!unseen) return `machines are ${email}, which you may use`
  const { says, ...check } = unchecked('identity', unseen)
  return { ...check, says: `machines are ${email}; whether you may use it cannot be seen: ${says}` }
}

/** Only max-cost depends on it. */
async function price(prices: Pick<Prices, 'quote'>, placement: Placement, { spot }: MachineRequest): Promise<string | Check> {
  try {
    const quote = await prices.quote(placement, spot)
    return quote ? `${Number(quote.hour.toPrecision(3))} USD per hour, without disk and traffic` : 'not known for these types'
  } catch (error) {
    return unchecked('price', error)
  }
}

/** Machines download their program from Cloud Storage and leave the group by the API of Compute Engine, so they need a way out. */
function wayOut({ publicAddress }: Settings, { network }: Placement): string | Check {
  const where = last(network.subnetwork)
  if (network.nat) return `a NAT in ${where}: machines need no public address`
  if (publicAddress !== false) return `a public address for each machine in ${where}`
  return {
    what: 'way out',
    state: 'warning',
    says: `machines in ${where} have no public address, and no router there has a NAT`,
    hint: 'they reach only Google, and only with Private Google Access: make a Cloud NAT, or give --public-address true',
  }
}

/**
 * A project without a quota for spot machines (its limit is 0) needs the quota for ordinary ones instead.
 * https://cloud.google.com/compute/docs/instances/spot#quotas
 */
const isWithout = ({ metric, limit }: Quota): boolean => (metric ?? '').startsWith('PREEMPTIBLE_') && (limit ?? 0) === 0

/** https://cloud.google.com/compute/resource-usage#gpu_quota · https://cloud.google.com/compute/resource-usage#cpu_quota */
function metricsOf({ choice }: Pick<Placement, 'choice'>, spot: boolean, known: readonly Quota[]): readonly string[] {
  const [type = ''] = choice.types
  if (choice.gpu) {
    const ordinary = `NVIDIA_${choice.gpu.kind.toUpperCase().replaceAll('-', '_')}_GPUS`
    const ofSpot = `PREEMPTIBLE_${ordinary}`
    if (!spot) return [ordinary, 'GPUS_ALL_REGIONS']
    return [ofSpot, ...(known.some((one) => one.metric === ofSpot && isWithout(one)) ? [ordinary] : []), 'GPUS_ALL_REGIONS']
  }
  const series = type.split('-')[0]?.toUpperCase() ?? ''
  // No page says that spot machines count against the quota of all regions.
  return [spot ? 'PREEMPTIBLE_CPUS' : 'CPUS_ALL_REGIONS', /^(?:E2|N1)$/.test(series) ? 'CPUS' : `${series}_CPUS`]
}

async function quota(api: Api, placement: Placement, { spot, count }: MachinesRequest): Promise<string | Check> {
  const [region, project]: readonly [Region, Project] = await Promise.all([
    api.call('compute:regions.get', `look at quotas of ${api.region}`),
    api.about(),
  ])
  const known = [...(region.quotas ?? []), ...(project.quotas ?? [])]
  return quotasOf(spot.want, async (market) => quotaSays(known, placement, market, count))
}

export function quotaSays(known: readonly Quota[], placement: Pick<Placement, 'choice'>, spot: boolean, count: number): string | Check {
  const [type = ''] = placement.choice.types
  const facts = CATALOGUE.find(({ name }) => name === type)
  const seen = metricsOf(placement, spot, known).flatMap((metric) => known.filter((one) => one.metric === metric))
  const each = ({ metric }: Quota): number => (/GPUS/.test(metric ?? '') ? (placement.choice.gpu?.count ?? 1) : (facts?.cpu ?? 1))
  const room = (one: Quota): number => (one.limit ?? 0) - (one.usage ?? 0)
  const says = listed(
    seen.map((one) => `${one.metric} ${one.usage ?? 0} of ${one.limit ?? 0}`),
    'and',
  )
  const short = seen.find((one) => room(one) < each(one) * count && !isWithout(one))
  if (seen.length === 0) return `not known for ${type}`
  if (!short) return says
  return {
    what: 'quota',
    state: 'fault',
    says: `${says}: ${needs(type, each(short), count)} of ${short.metric}`,
    hint: `ask for more: console, IAM & Admin, Quotas, ${short.metric}`,
  }
}
