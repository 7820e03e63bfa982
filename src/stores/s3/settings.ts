/** What a StoreAccess says → what the client needs. */
import { fixed } from '../../wire/credentials.ts'
import { type StoreAccess, StoreError } from '../../wire/store.ts'
import { whereaboutsOf } from './address.ts'
import type { S3Settings } from './client.ts'

/** About ten seconds of trouble; a caller with more patience calls again. */
const DEFAULT_ATTEMPTS = '7'

export function settingsOf(access: StoreAccess): S3Settings {
  const { attempts = DEFAULT_ATTEMPTS } = access.settings ?? {}
  const source = access.source ?? (access.credentials && fixed(access.credentials))
  if (!source) throw new StoreError('denied', `storage: no credentials for "${access.url}"`)
  const whereabouts = whereaboutsOf(access)
  if (!/^[1-9]\d?$/.test(attempts)) throw new StoreError('invalid', `storage: "${attempts}" is not a valid number of attempts`)
  return { ...whereabouts, attempts: Number(attempts), source }
}
