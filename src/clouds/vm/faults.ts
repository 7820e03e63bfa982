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

/**
 * Refuses a storage of another vendor: machines reach the storage with their identity at their own vendor. `storage`: as the user gave it;
 * absent: the account's shared storage, whose objects expire, perhaps before the run ends.
 */
export function storageFaults(tags: DeploymentTags, storage: string | undefined, { vendor, noun, such }: StorageRule): Fault[] {
  if (storage === undefined) return expiryFaults(tags, such)
  if (storage.startsWith(such.slice(0, such.indexOf('//') + 2))) return []
  return [{ option: 'storage', message: `"${storage}" cannot be reached by machines of ${vendor}`, hint: `give ${noun}: ${such}` }]
}

/** `most`: days that a machine may live. `limit`: what the vendor does after that time, for people. */
export function deadlineFaults(
  { createdAt, lifetime }: Pick<DeploymentTags, 'createdAt' | 'lifetime'>,
  most: number,
  limit: string,
): Fault[] {
  const days = (hardDeadline(lifetime) - Date.parse(createdAt)) / DAY
  if (days <= most) return []
  return [{ option: 'timeout', message: `with grace and reserve it is ${Math.ceil(days)} days, and ${limit}`, hint: 'give a shorter one' }]
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
