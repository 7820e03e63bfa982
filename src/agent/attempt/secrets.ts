/** The secret environment of the script: read once per attempt, removed with the last open slot (`wire/closed.ts`). */

import { parseRecord } from '../../wire/parse.ts'
import { SECRETS } from '../../wire/records.ts'
import type { Site } from '../machine-context.ts'
import { persist } from '../retry.ts'

export async function readSecrets(site: Site, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const object = await persist(async (limit) => site.store.read(site.keys.secrets, undefined, limit), signal)
  const env = object ? parseRecord(SECRETS, object.bytes, site.keys.secrets).env : {}
  const missing = site.spec.secretNames.filter((name) => !Object.hasOwn(env, name))
  if (missing.length > 0) throw new Error(`secrets are gone from the store: ${missing.join(', ')}`)
  return env
}
