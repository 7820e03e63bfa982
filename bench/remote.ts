/** How a command is told about a store elsewhere. */
import type { StoreAccess } from '../src/wire/store.ts'

export interface StorageOptions {
  readonly options: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export function storageOptions(access: StoreAccess | undefined): StorageOptions {
  if (access === undefined) return { options: [], env: {} }
  const { endpoint = '', region = '' } = access.settings ?? {}
  const { accessKeyId = '', secretAccessKey = '' } = access.credentials ?? {}
  return {
    options: ['--storage', access.url, '--storage-endpoint', endpoint, '--storage-region', region],
    env: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
  }
}
