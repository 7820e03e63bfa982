/** What a StoreAccess says → what the client needs. */
import { fixed } from '../../wire/credentials.ts'
import type { StoreAccess } from '../../wire/store.ts'
import { travelled, triesOf } from '../bucket-client.ts'
import { bucketAddress } from './address.ts'
import type { S3Settings } from './client.ts'

export function settingsOf(access: StoreAccess): S3Settings {
  return { ...bucketAddress(access), tries: triesOf(access), source: access.source ?? fixed(travelled(access)) }
}
