/** Whether a store does what everything depends on: it must refuse a write or a removal whose condition does not hold. */
import { randomUUID } from 'node:crypto'
import { probeKey } from './layout.ts'
import { isStoreError, type Store, StoreError } from './store.ts'

/** A second try, with another object: somebody may have cleaned up in the middle of the first. */
const LOOKS = 2

/**
 * Four calls one after the other, with an object that is removed again. Throws StoreError `invalid`, with a sentence for the user, for a store
 * that ignores conditions; else what the calls throw, a list among them.
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

/** Some stores find out while listing that tpi cannot use them, and throw. */
async function listed(store: Store, prefix: string, signal: AbortSignal | undefined): Promise<void> {
  for await (const _entry of store.list(prefix, undefined, signal)) return
}

/** What the store does wrong; `undefined`: nothing. */
async function ignoredBy(store: Store, key: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  // Versions may be hashes of the content.
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
