/** Azure's messages about a call or a group → messages for people, by the vendor's codes. */
import { type End, type Reason, reasonIn, type Said } from '../vm/messages.ts'

/**
 * The first match counts, against code and sentence. https://learn.microsoft.com/azure/virtual-machines/error-codes-spot ·
 * https://learn.microsoft.com/troubleshoot/azure/virtual-machines/linux/allocation-failure ·
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors
 */
export const REASONS: readonly Reason[] = [
  {
    test: /low-?priority ?cores|LowPriorityCores/i,
    kind: 'quota',
    text: "the subscription's quota for spot machines (lowPriorityCores) is used up in this region: ask for more (portal, Quotas)",
    hopeless: true,
    spotOnly: true,
  },
  {
    test: /Total Regional (?:v?CPUs|Cores)/i,
    kind: 'quota',
    text: "the subscription's quota for all sizes together (cores, Total Regional vCPUs) is used up in this region: ask for more (portal, Quotas), or take another region",
    hopeless: true,
  },
  {
    test: /QuotaExceeded|ResourceQuotaExceeded|exceeding (?:approved|quota)|exceed(?:s|ed|ing).{0,40}quota/i,
    kind: 'quota',
    text: "the subscription's quota for this family of sizes is used up in this region: ask for more (portal, Quotas), or take another size",
    hopeless: true,
  },
  {
    test: /SpotPriceGreaterThanProvidedMaxPrice/i,
    kind: 'capacity',
    text: 'the price of spot machines is above max-price; Azure does not try again when the price falls',
    option: 'max-price',
  },
  {
    test: /(?:Overconstrained(?:Zonal)?|Zonal)?Allocation(?:Failed|Request)|SkuNotAvailable|OverconstrainedAllocationRequest|Requested tier|insufficient.{0,40}capacity|CapacityNotAvailable/i,
    kind: 'capacity',
    text: 'Azure has no such machine available here; it keeps trying',
  },
  {
    test: /RequestDisallowedByPolicy|disallowed by (?:Azure )?policy/i,
    kind: 'denied',
    text: 'a policy of the organization forbids it',
    hopeless: true,
  },
  {
    test: /MissingSubscriptionRegistration|SubscriptionNotRegistered|not registered to use namespace/i,
    kind: 'denied',
    text: 'a resource provider is not registered in the subscription: `tpi doctor` says which',
    hopeless: true,
  },
  {
    test: /AzureSpotFeatureNotEnabled|AzureSpotIsNotSupported|Azure Spot Virtual Machine is not supported for this VM size|does not support Azure Spot/i,
    kind: 'denied',
    text: 'the subscription, or this size, has no spot machines',
    hopeless: true,
    spotOnly: true,
    option: 'spot',
  },
  {
    test: /LinkedAuthorizationFailed|AuthorizationFailed|does not have (?:authorization|permission)/i,
    kind: 'denied',
    text: 'a permission is missing: tpi permissions az says which are needed',
    hopeless: true,
  },
  {
    test: /ScopeLocked|cannot perform .{0,20} operation because/i,
    kind: 'denied',
    text: 'a lock keeps it from being changed or removed: az lock list shows it, and whoever made it has to remove it',
    hopeless: true,
  },
  {
    test: /MarketplacePurchaseEligibility|legal terms/i,
    kind: 'denied',
    text: "the image's terms have not been accepted: az vm image terms accept --urn PUBLISHER:OFFER:SKU:VERSION",
    hopeless: true,
    option: 'image',
  },
  {
    test: /PlatformImageNotFound|ImageNotFound|GalleryImageNotFound/i,
    kind: 'failure',
    text: 'the image does not exist',
    hopeless: true,
    option: 'image',
  },
  { test: /SubnetIsFull|IPAddressesExhausted/i, kind: 'failure', text: 'the subnet has no addresses left', option: 'azure-subnet' },
  {
    test: /PublicIPCountLimitReached/i,
    kind: 'quota',
    text: 'the quota of the subscription for public addresses is used up: ask for more (portal, Quotas)',
    hopeless: true,
  },
  {
    test: /TooManyRequests|OperationPreempted|AnotherOperationInProgress|ServerTimeout|InternalServerError|RetryableError|InternalExecutionError|OperationNotAllowed.{0,80}in progress|in progress.*\(OperationNotAllowed\)/i,
    kind: 'info',
    text: 'Azure is busy and tries again',
  },
  {
    test: /OSProvisioning(?:TimedOut|ClientError|InternalError)/i,
    kind: 'failure',
    text: 'the machine did not report in time that it was up',
  },
]

/** The reason why a machine could not be made. */
export const reasonOf = (code: string, message: string): Said => reasonIn(REASONS, message, code)

/** What ends a machine, by names of operations in the activity log. https://learn.microsoft.com/azure/azure-monitor/essentials/activity-log-schema */
const ENDS: readonly (readonly [operation: RegExp, text: string, kind: End['kind']])[] = [
  [/evict|preempt/i, 'Azure took the spot machine back', 'notice'],
  [/virtualMachines\/delete$|delete\/action$/i, 'it was removed from its group', 'info'],
  [/deallocate|powerOff/i, 'it was stopped', 'failure'],
]

/** How a machine ended. `operations`: all operations on it in the activity log. */
export function endOf(operations: readonly string[], spot: boolean): End {
  for (const [operation, text, kind] of ENDS) if (operations.some((one) => operation.test(one))) return { text, kind }
  // The log may be minutes late. A machine that leaves by itself has also said so in its slot's record.
  return { text: spot ? 'Azure took it back, or it left its group' : 'it left its group', kind: 'info' }
}
