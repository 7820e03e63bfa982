/** Requests that Google Cloud cannot meet, as far as that is clear without asking it. */
import type { MachineRequest, MachineSpec } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { engineFaults } from '../vm/container-engine.ts'
import { type IdentityRule, type Life, permissionFaults, type StorageRule, storageFaults } from '../vm/faults.ts'
import { usualImage } from '../vm/image-name.ts'
import { faultsOfRegion } from '../vm/region.ts'
import { type ReservationRule, reservationFaults } from '../vm/reservation.ts'
import { driverFaults, imageFaults } from './image-name.ts'
import { REGIONS, type Settings } from './settings.ts'
import { hasGpu, sizeFaults, typesOf } from './sizes.ts'
import { tagFaults } from './tags.ts'

/** https://cloud.google.com/compute/docs/instances/limit-vm-runtime */
const LIFE: Life = { days: 120, limit: 'Google Cloud ends machines after' }
const STORAGE: StorageRule = { vendor: 'Google Cloud', noun: 'a bucket of Cloud Storage', such: 'gs://BUCKET/PREFIX' }
const IDENTITY: IdentityRule = {
  right: /^[^\s,@]+@[^\s,@]+(?:,scopes=[^\s,]+(?:,[^\s,]+)*)?$/,
  noun: 'a service account',
  hint: 'write its e-mail address: NAME@PROJECT.iam.gserviceaccount.com',
}

const RESERVATION: ReservationRule = {
  right: /^(?:[a-z][a-z0-9-]{4,28}[a-z0-9]\/)?[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  such: 'its name, or PROJECT/NAME of one that is shared',
  place: '--region us-central1-b',
}

export function reservedFaults({ reservation, zone }: Settings, { size, spot }: MachineRequest): Fault[] {
  return reservationFaults(RESERVATION, { reservation, size, spot, placed: zone !== undefined }, typesOf)
}

/** `storage`: as the user gave it. */
export function faultsOf(spec: Omit<MachineSpec, 'store' | 'agent'>, storage: string | undefined): Fault[] {
  return [...requestFaults(spec), ...tagFaults(spec.tags), ...storageFaults(spec.tags, storage, STORAGE, LIFE)]
}

export function requestFaults(request: MachineRequest): Fault[] {
  const choice = typesOf(request.size)
  return [
    ...faultsOfRegion(REGIONS, request.region),
    ...sizeFaults(request.size),
    ...(choice ? [...imageFaults(request.image, choice.arch), ...driverFaults(request.image, choice)] : []),
    ...engineFaults(request, usualImage(choice !== undefined && hasGpu(choice))),
    ...spotFaults(request),
    ...permissionFaults(request, IDENTITY),
  ]
}

function spotFaults({ spot }: MachineRequest): Fault[] {
  if (spot.want === 'never' || spot.maxPrice === undefined) return []
  return [
    {
      option: 'max-price',
      message: 'Google Cloud has no price limits: spot machines of a type cost the same for everybody',
      hint: 'leave it out',
    },
  ]
}
