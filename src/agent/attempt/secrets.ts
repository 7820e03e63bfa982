/** The secret environment of the script: read once per attempt, removed with the last open slot. */

import { parseRecord } from '../../wire/parse.ts'
import { SECRETS } from '../../wire/records.ts'
import { isTerminal, SLOT } from '../../wire/slot.ts'
import type { Site } from '../site.ts'
import { persist } from '../tries.ts'

export async function readSecrets(site: Site, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const object = await persist(async (limit) => site.store.read(site.keys.secrets, undefined, limit), signal)
  const env = object ? parseRecord(SECRETS, object.bytes, site.keys.secrets).env : {}
  const missing = site.spec.secretNames.filter((name) => !Object.hasOwn(env, name))
  if (missing.length > 0) throw new Error(`secrets are gone from the store: ${missing.join(', ')}`)
  return env
}

/**
 * After a slot was closed, at its end or by a takeover: if all are, nobody needs the secrets any more. Of several who close the last ones at
 * least one sees them all. True: all are. Controllers do the same.
 */
export async function removeSecrets(site: Site, signal: AbortSignal): Promise<boolean> {
  const closed = await Promise.all(
    Array.from({ length: site.spec.count }, async (_, slot) => {
      const key = site.keys.slot(slot).record
      const object = await site.store.read(key, undefined, signal)
      return object === undefined || isTerminal(parseRecord(SLOT, object.bytes, key).state)
    }),
  )
  const last = closed.every(Boolean)
  if (last) await site.store.remove([site.keys.secrets])
  return last
}
