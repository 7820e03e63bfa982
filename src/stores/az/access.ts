/** Where the controller finds endpoint and credentials of a container of Azure: the variables and logins that Azure's tools use. */

import type { Env } from '../../lib/env.ts'
import { type AzureLogin, azureLogin, BLOBS } from '../../vendors/azure/login.ts'
import type { Lender } from '../../wire/credentials.ts'
import { type StoreAccess, StoreError } from '../../wire/store.ts'
import { type AccessOptions, lentAccess, lentBy } from '../login.ts'
import { azEndpoint } from './address.ts'

const REMEDY =
  'sign in with "az login", or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET (or AZURE_FEDERATED_TOKEN_FILE), or AZURE_STORAGE_KEY'

/**
 * Machines without an identity of their own get the credential itself if it works anywhere (an application's secret, the key of the account), so
 * that it can be renewed there; otherwise a token, which is valid for an hour. Throws StoreError `denied` if there are no credentials or
 * they are refused, `unavailable` if no server could be reached, `invalid` for a bad endpoint; messages never show a credential.
 */
export async function accessFromEnv(url: string, env: Env, options: AccessOptions = {}): Promise<StoreAccess> {
  const endpoint = options.endpoint ?? (env['AZURE_STORAGE_SERVICE_ENDPOINT'] || undefined)
  if (endpoint) azEndpoint(endpoint)
  const place = { url, ...(endpoint && { settings: { endpoint } }) }
  const key = env['AZURE_STORAGE_KEY'] || undefined
  if (key !== undefined) return { ...place, credentials: { key } }
  const login = await lentBy('Azure', async () => azureLogin(env))
  if (!login) throw new StoreError('denied', `storage: no credentials for "${url}"; ${REMEDY}`)
  return await lentAccess(place, lending(login), { own: login.secret && { ...login.secret }, clock: options.clock })
}

/** The login as source of a store's credentials. */
export function lending(login: AzureLogin): Lender['lend'] {
  return async () => await lentBy('Azure', async () => login.lend(BLOBS))
}
