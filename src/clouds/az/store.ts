/** The storage account of a subscription and region: all deployments share it, each below its own prefix. */

import { EXPIRY } from '../../core/bucket-expiry.ts'
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Ensured, Resource } from '../../core/resource.ts'
import type { Env } from '../../lib/env.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { addressSettings, forStore, type SharedStorage, sharedStorage } from '../vm/storage.ts'
import type { Api } from './api.ts'
import { noneThere, notYetKnown } from './errors.ts'
import { accountName, CONTAINER, SHARED } from './names.ts'
import { goingOn } from './operation.ts'

export async function storeAccess(api: Api, env: Env): Promise<StoreAccess> {
  return accessTo(accountName(await api.subscription(), api.region), api, env)
}

/** The stores of other regions. https://learn.microsoft.com/rest/api/storagerp/storage-accounts/list-by-resource-group */
export async function otherStores(api: Api, env: Env): Promise<readonly StoreAccess[]> {
  const subscription = await api.subscription()
  const tried = 'look for storage accounts of other regions'
  const found = await api.all('accounts.list', tried, { path: { group: SHARED } }).catch(noneThere)
  const own = accountName(subscription, api.region)
  const ours = found.filter(({ name, location = '' }) => name === accountName(subscription, location))
  return ours.flatMap(({ name = '' }) => (name === own ? [] : [accessTo(name, api, env)]))
}

/** The region of an account of the subscription, in whichever resource group it is. */
export async function locationOf(api: Api, account: string): Promise<string | undefined> {
  const query = { $filter: "resourceType eq 'Microsoft.Storage/storageAccounts'" }
  const all = await api.all('resources.list', `look for storage account ${account}`, { query })
  return all.find(({ name }) => name === account)?.location
}

function accessTo(account: string, api: Api, env: Env): StoreAccess {
  return {
    url: `az://${account}/${CONTAINER}`,
    settings: addressSettings(env['AZURE_STORAGE_SERVICE_ENDPOINT'] || undefined),
    source: forStore(api.storage()),
  }
}

/** It is made once and never removed with a deployment. */
export function storageResource(api: Api, account: string, signal: AbortSignal): Resource {
  return { ...sharedStorage({ ...ours(api, account), make: async () => make(api, account), signal }), pace: 1000 }
}

/** The container is made last: if it exists, everything does. */
export function ours(api: Api, account: string): Pick<SharedStorage, 'kind' | 'name' | 'isOurs'> {
  const path = { group: SHARED, account, container: CONTAINER }
  return {
    kind: 'storage account',
    name: account,
    isOurs: async () => (await api.maybe('containers.get', `look for storage account ${account}`, { path })) !== undefined,
  }
}

/** Repeating a step changes nothing: if a command is killed between two steps, the next one does the rest. */
async function make(api: Api, account: string): Promise<Ensured> {
  const path = { group: SHARED, account, container: CONTAINER }
  const found = await api.maybe('accounts.get', `look for storage account ${account}`, { path })
  if (!found) {
    await ensureSharedGroup(api)
    const body = accountInput(api.region)
    try {
      const answer = await api.answer('accounts.put', `create storage account ${account}`, { path, body })
      if (goingOn(answer)) return 'pending'
    } catch (error) {
      if (await isBeingMade(api, account, error)) return 'pending'
      throw TAKEN.test(String(error)) ? foreign(account, error) : notYetKnown(error)
    }
  } else if (found.properties?.provisioningState !== undefined && found.properties.provisioningState !== 'Succeeded') return 'pending'
  await api.call('accounts.expiry', `set the expiry of storage account ${account}`, { path, body: EXPIRES })
  await api.call('containers.put', `create container ${CONTAINER} of ${account}`, { path, body: { properties: { publicAccess: 'None' } } })
  return 'created'
}

/** Codes: https://learn.microsoft.com/rest/api/storagerp/srp_error_codes_common */
const TAKEN = /AlreadyTaken|AlreadyExists/

/** The first run of somebody else in this subscription has just begun to make it. */
async function isBeingMade(api: Api, account: string, error: unknown): Promise<boolean> {
  if (/StorageAccountOperationInProgress|exclusive access/i.test(String(error))) return true
  if (!TAKEN.test(String(error))) return false
  return (await api.maybe('accounts.get', `look for storage account ${account}`, { path: { group: SHARED, account } })) !== undefined
}

/** The resource group of everything that deployments share. It may be in any region: its contents can be elsewhere. */
export async function ensureSharedGroup(api: Api): Promise<void> {
  const path = { group: SHARED }
  if (await api.maybe('groups.get', `look for resource group ${SHARED}`, { path })) return
  await api
    .call('groups.put', `create resource group ${SHARED}`, { path, body: { location: api.region } })
    .catch(async (error: unknown) => {
      // Another command has just made it, in another region.
      if (!(await api.maybe('groups.get', `look for resource group ${SHARED}`, { path }))) throw error
    })
}

/** Only tokens, only https, no public access. https://learn.microsoft.com/rest/api/storagerp/storage-accounts/create */
const accountInput = (location: string): object => ({
  location,
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  properties: {
    accessTier: 'Hot',
    allowBlobPublicAccess: false,
    allowSharedKeyAccess: false,
    defaultToOAuthAuthentication: true,
    minimumTlsVersion: 'TLS1_2',
    supportsHttpsTrafficOnly: true,
  },
})

/** https://learn.microsoft.com/azure/storage/blobs/lifecycle-management-policy-structure: parts of an interrupted upload expire after a week. */
const EXPIRES = {
  properties: {
    policy: {
      rules: [
        {
          name: 'tpi',
          enabled: true,
          type: 'Lifecycle',
          definition: {
            filters: { blobTypes: ['blockBlob'], prefixMatch: [`${CONTAINER}/tpi-`] },
            actions: { baseBlob: { delete: { daysAfterModificationGreaterThan: EXPIRY } } },
          },
        },
      ],
    },
  },
}

function foreign(account: string, cause: unknown): Error {
  if (cause instanceof RemoteError) return cause
  return new InputError(`storage: the account ${account} belongs to somebody else`, {
    cause,
    hint: 'name another one: --storage az://ACCOUNT/CONTAINER',
  })
}
