/** Requests that Azure cannot meet, as far as that is clear without asking Azure. */
import type { MachineRequest, MachineSpec } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { engineFaults } from '../vm/container-engine.ts'
import { type Life, permissionFaults, type StorageRule, storageFaults } from '../vm/faults.ts'
import { usualImage } from '../vm/image-name.ts'
import { faultsOfRegion } from '../vm/region.ts'
import { type ReservationRule, reservationFaults } from '../vm/reservation.ts'
import { IDENTITY } from './identity.ts'
import { driverFaults, imageFaults } from './image-name.ts'
import { REGIONS, type Settings } from './settings.ts'
import { hasGpu, sizeFaults, typesOf } from './sizes.ts'
import { tagFaults } from './tags.ts'

/** A profile with dates has at most 365 days, and begins some minutes before the run. https://learn.microsoft.com/azure/azure-monitor/autoscale/autoscale-understanding-settings */
const LIFE: Life = { days: 364, limit: "Azure's autoscale looks ahead at most" }
/**
 * Most machines of a set that has more than one placement group.
 * https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-orchestration-modes
 */
const MOST = 1000

const STORAGE: StorageRule = { vendor: 'Azure', noun: 'a container of Blob Storage', such: 'az://ACCOUNT/CONTAINER/PREFIX' }

/** No zone has to be named: the group of the reservation says in which ones it is. */
const RESERVATION: ReservationRule = {
  right:
    /^(?:\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+\/providers\/Microsoft\.Compute\/capacityReservationGroups\/[^/\s]+|[^/\s]+\/[^/\s]+)$/i,
  such: 'GROUP/NAME, or the whole id of a capacity reservation group',
}

export function reservedFaults({ reservation }: Settings, { size, spot }: MachineRequest): Fault[] {
  return reservationFaults(RESERVATION, { reservation, size, spot, placed: true }, (one) => typesOf(one, false))
}

/** `storage`: as the user gave it. */
export function faultsOf(spec: Omit<MachineSpec, 'store' | 'agent'>, storage: string | undefined): Fault[] {
  return [...requestFaults(spec), ...tagFaults(spec.tags), ...countFaults(spec), ...storageFaults(spec.tags, storage, STORAGE, LIFE)]
}

export function requestFaults(request: MachineRequest): Fault[] {
  const spot = request.spot.want !== 'never'
  const { arch, types = [] } = typesOf(request.size, spot) ?? {}
  return [
    ...faultsOfRegion(REGIONS, request.region),
    ...sizeFaults(request.size, spot),
    ...(arch === undefined ? [] : imageFaults(request.image, arch)),
    ...engineFaults(request, usualImage(hasGpu({ types }))),
    ...driverFaults(request.image, types),
    ...identityFaults(request),
  ]
}

function identityFaults(request: MachineRequest): Fault[] {
  const hint = 'write its id: az identity show --name NAME --resource-group GROUP --query id'
  const faults = permissionFaults(request, { right: IDENTITY, noun: 'a user-assigned identity', hint })
  if (!request.permissionSet?.includes(',')) return faults
  return faults.map((fault) => ({ ...fault, message: 'machines get one identity, and several were given' }))
}

function countFaults({ tags: { count } }: Pick<MachineSpec, 'tags'>): Fault[] {
  if (count <= MOST) return []
  return [{ option: 'parallelism', message: `a scale set has at most ${MOST} machines`, hint: 'ask for fewer' }]
}
