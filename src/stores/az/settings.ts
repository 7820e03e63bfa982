/** What a StoreAccess says → what the client needs. */
import { loginOfSecret } from '../../lib/azure/login.ts'
import { systemClock } from '../../lib/clock.ts'
import { fixed, renewing } from '../../wire/credentials.ts'
import { type CredentialSource, type StoreAccess, StoreError } from '../../wire/store.ts'
import { lending } from './access.ts'
import { azPlace } from './address.ts'
import type { AzSettings } from './client.ts'

/** About ten seconds of trouble; a caller with more patience calls again. */
const DEFAULT_ATTEMPTS = '7'

export function settingsOf(access: StoreAccess): AzSettings {
  const { attempts = DEFAULT_ATTEMPTS } = access.settings ?? {}
  if (!/^[1-9]\d?$/.test(attempts)) throw new StoreError('invalid', `storage: "${attempts}" is not a valid number of attempts`)
  return { ...azPlace(access), attempts: Number(attempts), source: access.source ?? sourceOf(access) }
}

/** What has travelled: an application's credential, which is renewed where it is now, or a token or a key. */
function sourceOf({ url, credentials }: StoreAccess): CredentialSource {
  if (!credentials) throw new StoreError('denied', `storage: no credentials for "${url}"`)
  const { tenant, client, clientSecret, authority } = credentials
  if (!tenant || !client || !clientSecret) return fixed(credentials)
  const login = loginOfSecret({ tenant, client, clientSecret, ...(authority !== undefined && { authority }) })
  return renewing({ lend: lending(login), clock: systemClock })
}
