/** The vendor's messages about a group → messages for people, by the vendor's codes. */
import { type End, type Reason, reasonIn, type Said } from '../vm/messages.ts'

const BUSY = 'Google Cloud is busy and tries again'

/**
 * The first match counts, against code and sentence. https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-vm-creation ·
 * https://cloud.google.com/compute/docs/resource-error ·
 * https://cloud.google.com/compute/docs/instance-groups/troubleshooting-managed-instance-groups
 */
const REASONS: readonly Reason[] = [
  // Limits for requests have names like those of quotas.
  { test: /RATE_?LIMIT|RATE_EXCEEDED|concurrent_?operations?_?quota/i, kind: 'info', text: BUSY },
  {
    test: /RESOURCE_POOL_EXHAUSTED|GPU_STOCKOUT|does not have enough resources|insufficientCapacity|currently unavailable/i,
    kind: 'capacity',
    text: 'Google Cloud has no such machine available; it keeps trying all zones and types that were given',
  },
  {
    test: /GPUS_ALL_REGIONS/i,
    kind: 'quota',
    text: 'the quota of the project for GPUs in all regions is used up: ask for more of GPUS_ALL_REGIONS (console, Quotas)',
    hopeless: true,
  },
  {
    test: /Quota 'PREEMPTIBLE_\w+' exceeded/i,
    kind: 'quota',
    text: 'the quota of the project for spot machines is used up: ask for more (console, IAM & Admin, Quotas), or use spot: false',
    hopeless: true,
    spotOnly: true,
  },
  {
    test: /QUOTA_EXCEEDED|quotaExceeded|LIMIT_EXCEEDED|Quota '.+' exceeded/i,
    kind: 'quota',
    text: 'a quota of the project is used up: ask for more (console, IAM & Admin, Quotas), or take another type or region',
    hopeless: true,
  },
  {
    test: /SERVICE_DISABLED|accessNotConfigured|API has not been used/i,
    kind: 'denied',
    text: 'an API of the project is switched off: switch it on at the address that follows',
    hopeless: true,
  },
  {
    test: /cloudkms\.\S+' denied/i,
    kind: 'denied',
    text: 'the disk of the machine could not be encrypted: the service agent of Compute Engine needs roles/cloudkms.cryptoKeyEncrypterDecrypter on the customer key',
    hopeless: true,
    option: 'customer-key',
  },
  {
    test: /SERVICE_ACCOUNT|service account/i,
    kind: 'denied',
    text: 'the service account of the machines is gone, or may not be used: tpi permissions gcp says what is needed',
    hopeless: true,
    option: 'permission-set',
  },
  {
    test: /PERMISSION|forbidden|Required '.+' permission|Access Not Configured/i,
    kind: 'denied',
    text: 'a permission is missing: tpi permissions gcp says which are needed',
    hopeless: true,
  },
  {
    test: /kms|cryptoKey/i,
    kind: 'denied',
    text: 'the disk of the machine could not be encrypted by the customer key: see that it is enabled, and in the region of the machines',
    hopeless: true,
    option: 'customer-key',
  },
  {
    test: /CONDITION_NOT_MET|orgpolicy|constraints\//i,
    kind: 'denied',
    text: 'a policy of the organization forbids such machines',
    hopeless: true,
  },
  {
    test: /preemptionNotice/i,
    kind: 'failure',
    text: 'Google Cloud does not give spot machines of this type two minutes of notice: take another type',
    hopeless: true,
    option: 'machine',
  },
  { test: /\/images\/|image resource/i, kind: 'failure', text: 'the image is not available', hopeless: true, option: 'image' },
  { test: /IP_SPACE_EXHAUSTED|ipSpaceExhausted/i, kind: 'failure', text: 'the subnetwork has no addresses left', option: 'subnetwork' },
  { test: /terminationTime|termination time/i, kind: 'info', text: 'the group is past its deadline and starts no more machines' },
  {
    test: /machineTypes|machine type|UNSUPPORTED_OPERATION/i,
    kind: 'capacity',
    text: 'this zone does not have this type; Google Cloud tries the others',
  },
  { test: /INTERNAL|SERVICE_UNAVAILABLE|RESOURCE_NOT_READY/i, kind: 'info', text: BUSY },
]

/** The reason why a machine could not be made. */
export const reasonOf = (code: string, message: string): Said => reasonIn(REASONS, message, code)

/** The end of a machine whose removal was requested. */
export const REMOVED: End = { text: 'it was removed from its group', kind: 'info' }

/**
 * By the type of an operation on the machine, the most telling first:
 * https://cloud.google.com/compute/docs/instances/monitor-migration-event · .../audit-logging (system events)
 */
const ENDS: readonly (readonly [type: RegExp, text: string, kind: End['kind']])[] = [
  [/preempted$/, 'Google Cloud took the spot machine back', 'notice'],
  [/terminateOnHostMaintenance$/, 'Google Cloud took its host out of service', 'notice'],
  [/hostError$/, 'its host broke down', 'failure'],
  [/guestTerminate$/, 'it powered off by itself', 'failure'],
  [/repair\.recreateInstance$/, 'it was found unhealthy, and was recreated', 'failure'],
  [/stop$/, 'it was stopped', 'failure'],
  [/delete$/, REMOVED.text, REMOVED.kind],
]

/** How a machine ended, by the operations on it. The most telling one counts: that it was deleted does not say why. */
export function endOf(types: readonly string[]): End {
  for (const [type, text, kind] of ENDS) if (types.some((one) => type.test(one))) return { text, kind }
  return { text: 'the reason was not given', kind: 'failure' }
}
