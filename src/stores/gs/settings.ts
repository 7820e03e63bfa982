/** What a StoreAccess says → what the client needs. */
import { systemClock } from '../../lib/clock.ts'
import { loginOf } from '../../vendors/google/login.ts'
import { fixed, renewing } from '../../wire/credentials.ts'
import type { CredentialSource, StoreAccess } from '../../wire/store.ts'
import { travelled, triesOf } from '../bucket-client.ts'
import { lending } from './access.ts'
import { gsPlace } from './address.ts'
import type { GsSettings } from './client.ts'

export function settingsOf(access: StoreAccess): GsSettings {
  return { ...gsPlace(access), tries: triesOf(access), source: access.source ?? sourceOf(access) }
}

/** What was sent here: a whole credential, which is renewed here, or a token. */
function sourceOf(access: StoreAccess): CredentialSource {
  const credentials = travelled(access)
  const { file } = credentials
  return file === undefined ? fixed(credentials) : renewing({ lend: lending(loginOf(file)), clock: systemClock })
}
