/** Requests that AWS cannot meet, as far as that is clear without asking AWS. */
import type { MachineRequest, MachineSpec } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { engineFaults } from '../vm/container-engine.ts'
import { type IdentityRule, permissionFaults, type StorageRule, storageFaults } from '../vm/faults.ts'
import { faultsOfRegion } from '../vm/region.ts'
import { type ReservationRule, reservationFaults } from '../vm/reservation.ts'
import { driverFaults, imageFaults, usualImage } from './image-name.ts'
import { REGIONS, type Settings } from './settings.ts'
import { sizeFaults, typesOf } from './sizes.ts'
import { tagFaults } from './tags.ts'

const STORAGE: StorageRule = { vendor: 'AWS', noun: 'a bucket of S3', such: 's3://BUCKET/PREFIX' }
const IDENTITY: IdentityRule = {
  right: /^(?:arn:[a-z-]+:iam::\d{12}:instance-profile\/[\w+=,.@/-]+|[\w+=,.@-]{1,128})$/,
  noun: 'an instance profile',
  hint: 'write its name, or its ARN: arn:aws:iam::123456789012:instance-profile/NAME',
}

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/target-capacity-reservations.html */
const RESERVATION: ReservationRule = {
  right: /^(?:capacity-block:)?cr-[0-9a-f]{8,17}$/,
  such: 'cr-0123456789abcdef0, or capacity-block:cr-0123456789abcdef0',
  place: '--region us-west-2b, or one --subnet',
}

export function reservedFaults({ reservation, zone, subnets }: Settings, { size, spot }: MachineRequest): Fault[] {
  return reservationFaults(RESERVATION, { reservation, size, spot, placed: zone !== undefined || subnets.length === 1 }, typesOf)
}

/** `storage`: as the user gave it. */
export function faultsOf(spec: Omit<MachineSpec, 'store' | 'agent'>, storage: string | undefined): Fault[] {
  return [...requestFaults(spec), ...tagFaults(spec.tags), ...storageFaults(spec.tags, storage, STORAGE)]
}

export function requestFaults(request: MachineRequest): Fault[] {
  const { arch, types = [] } = typesOf(request.size) ?? {}
  return [
    ...faultsOfRegion(REGIONS, request.region),
    ...sizeFaults(request.size),
    ...(arch === undefined ? [] : imageFaults(request.image, arch)),
    ...engineFaults(request, usualImage(types)),
    ...driverFaults(request.image, types),
    ...permissionFaults(request, IDENTITY),
  ]
}
