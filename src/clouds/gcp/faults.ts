/** Requests that Google Cloud cannot meet, as far as that shows without asking it. */
import type { MachineRequest, MachineSpec } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { expiryFaults } from '../../core/expiry.ts'
import { hardDeadline } from '../../wire/spec.ts'
import { faultsOfRegion } from '../vm/region.ts'
import { imageFaults } from './image-name.ts'
import { REGIONS } from './region.ts'
import { sizeFaults, typesOf } from './sizes.ts'
import { tagFaults } from './tags.ts'

/** Days after which the vendor ends a machine at the latest. https://cloud.google.com/compute/docs/instances/limit-vm-runtime */
const LONGEST = 120
const DAY = 24 * 60 * 60_000

/** `storage`: as it was given; else it is the project's bucket, whose objects go by themselves in time. */
export function faultsOf(spec: Omit<MachineSpec, 'store' | 'agent'>, storage: string | undefined): Fault[] {
  const expiry = storage === undefined ? expiryFaults(spec.tags, 'gs://BUCKET/PREFIX') : storageFaults(storage)
  return [...requestFaults(spec), ...tagFaults(spec.tags), ...(expiry.length > 0 ? expiry : deadlineFaults(spec))]
}

/** Machines reach it by their own identity, which is good for Google alone. */
function storageFaults(storage: string): Fault[] {
  if (storage.startsWith('gs://')) return []
  return [
    {
      option: 'storage',
      message: `"${storage}" cannot be reached by machines of Google Cloud`,
      hint: 'give a bucket of Cloud Storage: gs://BUCKET/PREFIX',
    },
  ]
}

export function requestFaults(request: MachineRequest): Fault[] {
  const { arch } = typesOf(request.size) ?? {}
  return [
    ...faultsOfRegion(REGIONS, request.region),
    ...sizeFaults(request.size),
    ...(arch === undefined ? [] : imageFaults(request.image, arch)),
    ...spotFaults(request),
    ...permissionFaults(request),
  ]
}

function spotFaults({ spot }: MachineRequest): Fault[] {
  if (spot.want === 'prefer')
    return [
      {
        option: 'spot',
        message: '"prefer" does not exist on Google Cloud: nothing there starts other machines by itself once spot machines are missing',
        hint: 'write "spot: true", which waits for a spot machine (several types find one sooner), or "spot: false"',
      },
    ]
  if (spot.want === 'never' || spot.maxPrice === undefined) return []
  return [
    {
      option: 'max-price',
      message: 'Google Cloud has no limit of the price: spot machines of a type cost the same for everybody',
      hint: 'leave it out',
    },
  ]
}

function permissionFaults({ permissionSet }: MachineRequest): Fault[] {
  if (permissionSet === undefined || /^[^\s,@]+@[^\s,@]+(?:,scopes=[^\s,]+(?:,[^\s,]+)*)?$/.test(permissionSet)) return []
  return [
    {
      option: 'permission-set',
      message: `"${permissionSet}" is not a service account`,
      hint: 'write its e-mail address: NAME@PROJECT.iam.gserviceaccount.com',
    },
  ]
}

function deadlineFaults({ tags: { createdAt, lifetime } }: Pick<MachineSpec, 'tags'>): Fault[] {
  const days = (hardDeadline(lifetime) - Date.parse(createdAt)) / DAY
  if (days <= LONGEST) return []
  return [
    {
      option: 'timeout',
      message: `with grace and reserve it is ${Math.ceil(days)} days, and Google Cloud ends machines after ${LONGEST}`,
      hint: 'give a shorter one',
    },
  ]
}
