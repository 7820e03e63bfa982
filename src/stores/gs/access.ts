/** Where the controller finds endpoint and credentials of a bucket of Google: the variables and files that Google's tools use. */
import type { Env } from '../../lib/env.ts'
import { type GoogleLogin, googleLogin } from '../../vendors/google/login.ts'
import type { Lender } from '../../wire/credentials.ts'
import { type StoreAccess, StoreError } from '../../wire/store.ts'
import { type AccessOptions, lentAccess, lentBy } from '../login.ts'
import { gsEndpoint } from './address.ts'

const REMEDY = 'set GOOGLE_APPLICATION_CREDENTIALS to a credential file, or run "gcloud auth application-default login"'

/**
 * Machines without an identity of their own get the credential itself if it works anywhere (a key, a signed-in user), so that it can be renewed
 * there; otherwise a token, which is valid for an hour. Throws StoreError `denied` if there are no credentials or they are refused,
 * `unavailable` if no server could be reached, `invalid` for a bad endpoint; messages never show a credential.
 */
export async function accessFromEnv(url: string, env: Env, options: AccessOptions = {}): Promise<StoreAccess> {
  const endpoint = options.endpoint ?? (env['CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE'] || emulator(env))
  if (endpoint) gsEndpoint(endpoint)
  const login = await lentBy('Google', async () => googleLogin(env))
  if (!login) throw new StoreError('denied', `storage: no credentials for "${url}"; ${REMEDY}`)
  const place = { url, ...(endpoint && { settings: { endpoint } }) }
  const own = login.file === undefined ? undefined : { file: login.file }
  return await lentAccess(place, lending(login), { own, clock: options.clock })
}

/** The address of an emulator, from the variable of Google's own clients. Some of them want it without a scheme. */
function emulator(env: Env): string | undefined {
  const host = env['STORAGE_EMULATOR_HOST']
  return host && (host.includes('://') ? host : `http://${host}`)
}

/** The login as source of a store's credentials. */
export function lending(login: GoogleLogin): Lender['lend'] {
  return async () => await lentBy('Google', async () => login.lend())
}
