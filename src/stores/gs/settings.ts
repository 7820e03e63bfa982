/** What a StoreAccess says → what the client needs. */
import { systemClock } from '../../lib/clock.ts'
import { loginOf } from '../../lib/google/login.ts'
import { fixed, renewing } from '../../wire/credentials.ts'
import { type CredentialSource, type StoreAccess, StoreError } from '../../wire/store.ts'
import { lending } from './access.ts'
import { gsPlace } from './address.ts'
import type { GsSettings } from './client.ts'

/** About ten seconds of trouble; a caller with more patience calls again. */
const DEFAULT_ATTEMPTS = '7'

export function settingsOf(access: StoreAccess): GsSettings {
  const { attempts = DEFAULT_ATTEMPTS } = access.settings ?? {}
  if (!/^[1-9]\d?$/.test(attempts)) throw new StoreError('invalid', `storage: "${attempts}" is not a valid number of attempts`)
  return { ...gsPlace(access), attempts: Number(attempts), source: access.source ?? sourceOf(access) }
}

/** What has travelled: a whole credential, which is renewed where it is now, or a token. */
function sourceOf({ url, credentials }: StoreAccess): CredentialSource {
  if (!credentials) throw new StoreError('denied', `storage: no credentials for "${url}"`)
  const { file } = credentials
  return file === undefined ? fixed(credentials) : renewing({ lend: lending(loginOf(file)), clock: systemClock })
}
