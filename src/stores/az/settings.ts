/** What a StoreAccess says → what the client needs. */

import { systemClock } from '../../lib/clock.ts'
import { loginOfSecret } from '../../vendors/azure/login.ts'
import { fixed, renewing } from '../../wire/credentials.ts'
import { type CredentialSource, ONLY_READ, type StoreAccess } from '../../wire/store.ts'
import { travelled, triesOf } from '../bucket-client.ts'
import { lending } from './access.ts'
import { azPlace } from './address.ts'
import type { AzSettings } from './client.ts'

export function settingsOf(access: StoreAccess): AzSettings {
  return {
    ...azPlace(access),
    onlyRead: access.settings?.[ONLY_READ] === 'true',
    tries: triesOf(access),
    source: access.source ?? sourceOf(access),
  }
}

/** What was sent here: an application's credential, which is renewed here, or a token or a key. */
function sourceOf(access: StoreAccess): CredentialSource {
  const credentials = travelled(access)
  const { tenant, client, clientSecret, authority } = credentials
  if (!tenant || !client || !clientSecret) return fixed(credentials)
  const login = loginOfSecret({ tenant, client, clientSecret, ...(authority !== undefined && { authority }) })
  return renewing({ lend: lending(login), clock: systemClock })
}
