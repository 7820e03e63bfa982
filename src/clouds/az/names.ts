/** Names of tpi's resources, and how they are found again: by id and incarnation, so that no run can touch another's. */
import { createHash } from 'node:crypto'
import type { Reference } from '../../core/cloud.ts'
import { shortName } from '../../core/identity.ts'

/** https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations: names take no `:` everywhere. */
export const TAG = {
  id: 'tpi-id',
  incarnation: 'tpi-incarnation',
  name: 'tpi-name',
  mode: 'tpi-mode',
  /** ISO: nothing of it runs past it. */
  until: 'tpi-until',
  /** Of a set that has a twin: what that is called. */
  twin: 'tpi-twin',
  /** All that is to be known of a deployment, in pieces (`tags.ts`). */
  facts: 'tpi-facts-',
} as const

/** A machine is called by its set, `_` and eight characters more, and its host name has at most 64: https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftcompute */
const MOST = 54

/** Of the resource group and of all in it. */
export const groupName = (of: Reference): string => shortName(of, MOST)

/** Beside a set of spot machines: one that takes over at the full price (`spot: prefer`). */
export const twinName = (of: Reference): string => `${shortName(of, MOST - TWIN.length)}${TWIN}`
const TWIN = '-on-demand'

/** Made once for a subscription: the storage accounts, and the identity that machines have unless the user names another. */
export const SHARED = 'tpi-shared'
export const MACHINE_IDENTITY = 'tpi-machine'

export const identityId = (subscription: string): string =>
  `/subscriptions/${subscription}/resourceGroups/${SHARED}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${MACHINE_IDENTITY}`

/** One for each subscription and region. Their names are the world's and have 24 letters and digits: it is looked up in our own group alone. */
export function accountName(subscription: string, region: string): string {
  const hash = createHash('sha256').update(`${subscription.toLowerCase()} ${region}`).digest('hex')
  return `tpi${hash.slice(0, 21)}`
}

/** Of the deployments in such an account. */
export const CONTAINER = 'tpi'

/** The last part of an id of the vendor's: a machine, a set, a zone. */
export const last = (id: string | null | undefined): string => (id ?? '').split('/').at(-1) ?? ''

/** Ids are alike whatever their case. https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
export const isSame = (one: string | undefined, other: string | undefined): boolean => one?.toLowerCase() === other?.toLowerCase()
