/** Whether a store refuses a write or a removal whose condition does not hold: everything depends on that. */
import { randomUUID } from 'node:crypto'
import { probeKey } from './layout.ts'
import { isStoreError, type Store, StoreError } from './store.ts'

/** How often it is tried, each time with another object: somebody may have cleaned up in the middle of the first try. */
const LOOKS = 2

/**
 * Tries the conditions on an object that it removes again. Throws StoreError `invalid`, with a sentence for the user, if the store ignores them;
 * otherwise what the calls throw. (One of them is a list, because some stores only find out then that tpi cannot use them.)
 */
export async function probe(store: Store, signal?: AbortSignal): Promise<void> {
  let ignored: string | undefined
  for (let look = 0; look < LOOKS; look++) {
    ignored = await ignoredBy(store, probeKey(randomUUID()), signal)
    if (ignored === undefined) return
  }
  const why = 'two machines could hold one slot, and one could write over the results of the other'
  throw new StoreError(
    'invalid',
    `storage: ${store.url} cannot be used: it ${ignored}, so ${why}; use another storage, or a newer version of its server`,
  )
}

/** Lists; throws what that throws. */
async function listed(store: Store, prefix: string, signal: AbortSignal | undefined): Promise<void> {
  for await (const _entry of store.list(prefix, undefined, signal)) return
}

/** What the store does wrong, as the end of "it …"; `undefined`: nothing. */
async function ignoredBy(store: Store, key: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  // Each is different, because versions may be hashes of the content.
  const body = (): Uint8Array => Buffer.from(randomUUID())
  const refused = async (call: Promise<unknown>): Promise<boolean> => {
    try {
      await call
      return false
    } catch (error) {
      if (isStoreError(error, 'conflict')) return true
      throw error
    }
  }
  const first = await store.write(key, body(), { absent: true }, signal)
  try {
    const [present, current] = await Promise.all([
      refused(store.write(key, body(), { absent: true }, signal)),
      refused(store.write(key, body(), { version: first }, signal)),
      listed(store, key, signal),
    ])
    if (!present) return 'ignores If-None-Match'
    if (current) return 'refuses If-Match with the right version'
    const [stale, removal] = await Promise.all([
      refused(store.write(key, body(), { version: first }, signal)),
      refused(store.remove([key], { version: first })),
    ])
    if (!stale) return 'ignores If-Match'
    return removal ? undefined : 'ignores If-Match when it removes'
  } finally {
    await store.remove([key]).catch(() => undefined)
  }
}
