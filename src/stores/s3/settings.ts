/** What a StoreAccess says → what the client needs. */
import { fixed } from '../../wire/credentials.ts'
import { type StoreAccess, StoreError } from '../../wire/store.ts'
import { triesOf } from '../bucket-client.ts'
import { bucketAddress } from './address.ts'
import type { S3Settings } from './client.ts'

export function settingsOf(access: StoreAccess): S3Settings {
  const source = access.source ?? (access.credentials && fixed(access.credentials))
  if (!source) throw new StoreError('denied', `storage: no credentials for "${access.url}"`)
  const whereabouts = bucketAddress(access)
  return { ...whereabouts, tries: triesOf(access), source }
}
