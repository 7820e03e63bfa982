/** Requests that Azure cannot meet, as far as that shows without asking it. */
import type { MachineRequest, MachineSpec } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { expiryFaults } from '../../core/expiry.ts'
import { hardDeadline } from '../../wire/spec.ts'
import { faultsOfRegion } from '../vm/region.ts'
import { imageFaults } from './image-name.ts'
import { IDENTITY } from './place.ts'
import { REGIONS } from './region.ts'
import { sizeFaults, typesOf } from './sizes.ts'
import { tagFaults } from './tags.ts'

/** Days of a fixed-date profile. https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings */
const LONGEST = 365
const DAY = 24 * 60 * 60_000
/** Machines of a set that has more than one placement group. https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-orchestration-modes */
const MOST = 1000

/** `storage`: as it was given; else it is the account of ours, whose blobs go by themselves in time. */
export function faultsOf(spec: Omit<MachineSpec, 'store' | 'agent'>, storage: string | undefined): Fault[] {
  const expiry = storage === undefined ? expiryFaults(spec.tags, 'az://ACCOUNT/CONTAINER/PREFIX') : storageFaults(storage)
  return [...requestFaults(spec), ...tagFaults(spec.tags), ...countFaults(spec), ...(expiry.length > 0 ? expiry : deadlineFaults(spec))]
}

/** Machines reach it by their own identity, which is good for Azure alone. */
function storageFaults(storage: string): Fault[] {
  if (storage.startsWith('az://')) return []
  const message = `"${storage}" cannot be reached by machines of Azure`
  return [{ option: 'storage', message, hint: 'give a container of Blob Storage: az://ACCOUNT/CONTAINER/PREFIX' }]
}

export function requestFaults(request: MachineRequest): Fault[] {
  const spot = request.spot.want !== 'never'
  const { arch } = typesOf(request.size, spot) ?? {}
  return [
    ...faultsOfRegion(REGIONS, request.region),
    ...sizeFaults(request.size, spot),
    ...(arch === undefined ? [] : imageFaults(request.image, arch)),
    ...spotFaults(request),
    ...permissionFaults(request),
  ]
}

function spotFaults({ spot }: MachineRequest): Fault[] {
  if (spot.want !== 'prefer') return []
  const message = '"prefer" does not exist yet on Azure'
  return [{ option: 'spot', message, hint: 'write "spot: true", which waits for a spot machine, or "spot: false"' }]
}

function permissionFaults({ permissionSet }: MachineRequest): Fault[] {
  if (permissionSet === undefined || IDENTITY.test(permissionSet)) return []
  const several = permissionSet.includes(',')
  return [
    {
      option: 'permission-set',
      message: several
        ? 'machines of Azure have one identity here, and several were given'
        : `"${permissionSet}" is not a user-assigned identity`,
      hint: 'write its id: az identity show --name NAME --resource-group GROUP --query id',
    },
  ]
}

function countFaults({ tags: { count } }: Pick<MachineSpec, 'tags'>): Fault[] {
  if (count <= MOST) return []
  return [{ option: 'parallelism', message: `a scale set has at most ${MOST} machines`, hint: 'ask for fewer' }]
}

function deadlineFaults({ tags: { createdAt, lifetime } }: Pick<MachineSpec, 'tags'>): Fault[] {
  const days = (hardDeadline(lifetime) - Date.parse(createdAt)) / DAY
  if (days <= LONGEST) return []
  const message = `with grace and reserve it is ${Math.ceil(days)} days, and Azure's autoscale looks ${LONGEST} ahead`
  return [{ option: 'timeout', message, hint: 'give a shorter one' }]
}
