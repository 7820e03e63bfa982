/**
 * Why a machine could not be made, in Azure's codes and sentences: https://learn.microsoft.com/azure/virtual-machines/error-codes-spot,
 * https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/allocation-failure,
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-resource-quota,
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-sku-not-available
 */
import type { Group } from '../vm/simulation/group.ts'
import type { Reason } from '../vm/simulation/types.ts'
import { cores, sizeNamed } from './catalogue.ts'
import { ArmFault } from './fault.ts'

/** Azure's several codes for a lack of room. */
export type Dryness = 'AllocationFailed' | 'ZonalAllocationFailed' | 'OverconstrainedAllocationRequest' | 'SkuNotAvailable'

/** `CODE: sentence`, from whoever refuses a launch. */
const SAID = /^(\w+): (.*)$/s
const GUIDE = 'Read more about improving likelihood of allocation success at https://aka.ms/allocation-guidance'

export function faultOf({ kind, market, type, zone, said }: Reason, group: Group, dryness: Dryness): ArmFault {
  const [, code, sentence = ''] = SAID.exec(said ?? '') ?? []
  if (code !== undefined) return new ArmFault(kind === 'denied' ? 403 : 400, code, sentence)
  const { region, world } = group
  if (kind === 'quota')
    return quotaFault(
      region,
      market === 'spot' ? 'LowPriorityCores' : 'Total Regional Cores',
      world.supply.quota(region, market),
      world.cores(region, market),
      cores(type),
    )
  if (kind === 'price')
    return new ArmFault(
      409,
      'SpotPriceGreaterThanProvidedMaxPrice',
      `Unable to perform operation 'Create VM' since the provided max price '0.01 USD' is lower than the current spot price '${world.supply.price({ region, zone, type, market })} USD' for Azure Spot VM size '${type}'.`,
    )
  if (kind !== 'capacity') return new ArmFault(400, 'InvalidParameter', said ?? 'The request is not valid.')
  const sentences: Readonly<Record<Dryness, string>> = {
    AllocationFailed: `Allocation failed. We do not have sufficient capacity for the requested VM size in this region. ${GUIDE}`,
    ZonalAllocationFailed: `Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. ${GUIDE}`,
    OverconstrainedAllocationRequest:
      'Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive. Please remove some constraints and try again. Constraints applied are:\n  - Low Priority VMs\n  - VM Size',
    SkuNotAvailable: `The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: ${type}' is currently not available in location '${region}'. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.`,
  }
  return new ArmFault(409, dryness, sentences[dryness])
}

/**
 * The sentence is recorded, but with the code OperationNotAllowed: https://github.com/microsoft/onefuzz/issues/605 (a set),
 * https://github.com/Azure/karpenter-provider-azure/issues/192 (a machine).
 */
export function quotaFault(region: string, name: string, limit: number, used: number, more: number): ArmFault {
  return new ArmFault(
    409,
    'QuotaExceeded',
    `Operation could not be completed as it results in exceeding approved ${name} quota. Additional details - Deployment Model: Resource Manager, Location: ${region}, Current Limit: ${limit}, Current Usage: ${used}, Additional Required: ${more}, (Minimum) New Limit Required: ${used + more}. Submit a request for Quota increase at https://aka.ms/ProdportalCRP/#blade/Microsoft_Azure_Capacity/UsageAndQuota.ReactView by specifying parameters listed in the 'Details' section for deployment to succeed. Please read more about quota limits at https://docs.microsoft.com/azure/azure-supportability/regional-quota-requests`,
  )
}

export const familyOf = (type: string): string => sizeNamed(type)?.family ?? 'standardDSv5Family'
