/** Faults that all clouds of machines have in common, as far as they are clear without asking the vendor. */
import { expiryFaults } from '../../core/bucket-expiry.ts'
import type { DeploymentTags, MachineRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { hardDeadline } from '../../wire/lifetime.ts'

const DAY = 24 * 60 * 60_000

export interface StorageRule {
  /** For people. */
  readonly vendor: string
  /** What the vendor calls its storage. */
  readonly noun: string
  /** An example of a name. */
  readonly such: string
}

/** For how long a vendor can keep a group. */
export interface Life {
  readonly days: number
  /** What the vendor does after so many days, for people: the number follows. */
  readonly limit: string
}

/**
 * Refuses a storage of another vendor: machines reach the storage with their identity at their own vendor. `storage`: as the user gave it;
 * absent: the account's shared storage, whose objects expire, perhaps before the run ends. A run that is too long for both the storage and the
 * vendor (`life`) is refused only once.
 */
export function storageFaults(
  tags: DeploymentTags,
  storage: string | undefined,
  { vendor, noun, such }: StorageRule,
  life?: Life,
): Fault[] {
  const expiry = storage === undefined ? expiryFaults(tags, such) : []
  if (expiry.length > 0) return expiry
  if (storage === undefined || storage.startsWith(such.slice(0, such.indexOf('//') + 2))) return life ? lifeFaults(tags, life) : []
  return [{ option: 'storage', message: `"${storage}" cannot be reached by machines of ${vendor}`, hint: `give ${noun}: ${such}` }]
}

function lifeFaults({ createdAt, lifetime }: Pick<DeploymentTags, 'createdAt' | 'lifetime'>, { days: most, limit }: Life): Fault[] {
  const days = (hardDeadline(lifetime) - Date.parse(createdAt)) / DAY
  if (days <= most) return []
  return [
    {
      option: 'timeout',
      message: `with grace and reserve it is ${Math.ceil(days)} days, and ${limit} ${most}`,
      hint: 'give a shorter one',
    },
  ]
}

export interface IdentityRule {
  readonly right: RegExp
  /** What the option has to name. */
  readonly noun: string
  readonly hint: string
}

export function permissionFaults({ permissionSet }: MachineRequest, { right, noun, hint }: IdentityRule): Fault[] {
  if (permissionSet === undefined || right.test(permissionSet)) return []
  return [{ option: 'permission-set', message: `"${permissionSet}" is not ${noun}`, hint }]
}
