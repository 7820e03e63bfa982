/** Wishes that AWS cannot fulfil, as far as that shows without asking it. */
import type { MachineSpec, MachineWish } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { expiryFaults } from '../../core/expiry.ts'
import { faultsOfRegion } from '../vm/region.ts'
import { driverFaults, imageFaults } from './image-name.ts'
import { REGIONS } from './region.ts'
import { sizeFaults, typesOf } from './sizes.ts'
import { tagFaults } from './tags.ts'

/** `own`: the store is the account's bucket, whose objects go by themselves in time. */
export function faultsOf(spec: Omit<MachineSpec, 'store' | 'agent'>, own: boolean): Fault[] {
  return [...wishFaults(spec), ...tagFaults(spec.tags), ...(own ? expiryFaults(spec.tags, 's3://BUCKET/PREFIX') : [])]
}

export function wishFaults(wish: MachineWish): Fault[] {
  const { arch, types = [] } = typesOf(wish.size) ?? {}
  return [
    ...faultsOfRegion(REGIONS, wish.region),
    ...sizeFaults(wish.size),
    ...(arch === undefined ? [] : imageFaults(wish.image, arch)),
    ...driverFaults(wish.image, types),
    ...permissionFaults(wish),
  ]
}

function permissionFaults({ permissionSet }: MachineWish): Fault[] {
  const right = /^(?:arn:[a-z-]+:iam::\d{12}:instance-profile\/[\w+=,.@/-]+|[\w+=,.@-]{1,128})$/
  if (permissionSet === undefined || right.test(permissionSet)) return []
  return [
    {
      option: 'permission-set',
      message: `"${permissionSet}" is not an instance profile`,
      hint: 'write its name, or its ARN: arn:aws:iam::123456789012:instance-profile/NAME',
    },
  ]
}
