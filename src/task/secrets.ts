/** The secret environment of a task: written at its start, and again by every command that attaches, because values are never compared. */

import type { Deployment, Engine } from '../engine/deployment.ts'
import { VERSION } from '../wire/parse.ts'
import type { SecretsRecord } from '../wire/records.ts'
import type { TaskSpec } from '../wire/spec.ts'
import { isStoreError } from '../wire/store.ts'

/** Writes the secrets for the machines of a new run. */
export async function entrust(
  { store, keys }: Pick<Deployment, 'store' | 'keys'>,
  { secretNames }: Pick<TaskSpec, 'secretNames'>,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  if (secretNames.length > 0) await store.write(keys.secrets, encoded(secrets))
}

/** Writes new values for all secrets, or for none if this command lacks one: an attempt cannot start without it. */
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
    await store.write(keys.secrets, encoded(env), { version: there.version })
  } catch (error) {
    // Removed meanwhile with the last open slot, or refreshed by another command: either is fine.
    if (!isStoreError(error, 'conflict') && !isStoreError(error, 'gone')) throw error
  }
}

function encoded(env: SecretsRecord['env']): Buffer {
  return Buffer.from(JSON.stringify({ v: VERSION, env } satisfies SecretsRecord))
}
