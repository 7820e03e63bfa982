/** Names of tpi's resources, and how they are found again: by id and incarnation, so that no run can touch another's. */
import type { Reference } from '../../core/cloud.ts'
import { shortName } from '../../core/identity.ts'
import { sha256 } from '../../lib/sha256.ts'
import { shortTwinName } from '../vm/names.ts'

/** https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations: some services do not allow `:` in names. */
export const TAG = {
  id: 'tpi-id',
  incarnation: 'tpi-incarnation',
  name: 'tpi-name',
  mode: 'tpi-mode',
  /** ISO: when the deployment ends at the latest. */
  until: 'tpi-until',
  /** On a set that has a twin: the twin's name. */
  twin: 'tpi-twin',
  /** All facts of a deployment, in pieces (`tags.ts`). */
  facts: 'tpi-facts-',
} as const

/**
 * A machine's name is its set's name, `_` and eight more characters, and a host name has at most 64:
 * https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftcompute
 */
const MOST = 54

/** Name of the resource group and of everything in it. */
export const groupName = (of: Reference): string => shortName(of, MOST)

/** The set at full price beside a spot set (`spot: prefer`). */
export const twinName = (of: Reference): string => shortTwinName(of, MOST)

/** The resource group of the storage accounts and of the machines' identity, unless the user names another one. Made once for a subscription. */
export const SHARED = 'tpi-shared'
export const MACHINE_IDENTITY = 'tpi-machine'

export const identityId = (subscription: string): string =>
  `/subscriptions/${subscription}/resourceGroups/${SHARED}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${MACHINE_IDENTITY}`

/** One for each subscription and region. Names are global, and have at most 24 letters and digits, so it is looked up only in `SHARED`. */
export function accountName(subscription: string, region: string): string {
  const hash = sha256(`${subscription.toLowerCase()} ${region}`)
  return `tpi${hash.slice(0, 21)}`
}

/** The container for all deployments in such an account. */
export const CONTAINER = 'tpi'

/** Names and ids are equal whatever their case. https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
export const isSame = (one: string | undefined, other: string | undefined): boolean => one?.toLowerCase() === other?.toLowerCase()
