/** Secrets and tokens are never compared, but an attach brings fresh ones. */

import type { Deployment, Engine } from '../engine/deployment.ts'
import { VERSION } from '../wire/parse.ts'
import type { SecretsRecord } from '../wire/records.ts'
import type { TaskSpec } from '../wire/spec.ts'
import { isStoreError } from '../wire/store.ts'

/** All secrets that the machines need, or none: an attempt that lacks one cannot start. */
export async function refreshSecrets(
  { host }: Engine,
  { name, store, keys }: Pick<Deployment, 'name' | 'store' | 'keys'>,
  { secretNames }: Pick<TaskSpec, 'secretNames'>,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  if (secretNames.length === 0) return
  const there = await store.read(keys.secrets)
  // They are removed with the last open slot.
  if (!there) return
  const missing = secretNames.filter((secret) => !Object.hasOwn(values, secret))
  if (missing.length > 0) {
    host.info(`${name}: its secrets stay as they are: this command has no value for ${missing.join(', ')}`)
    return
  }
  const env = Object.fromEntries(secretNames.map((secret) => [secret, values[secret] ?? '']))
  try {
    await store.write(keys.secrets, Buffer.from(JSON.stringify({ v: VERSION, env } satisfies SecretsRecord)), { version: there.version })
  } catch (error) {
    // Removed meanwhile with the last open slot, or refreshed by another command: either is fine.
    if (!isStoreError(error, 'conflict') && !isStoreError(error, 'gone')) throw error
  }
}
