/** Compare-and-swap of small JSON records, for controllers. */
import { RemoteError } from '../core/errors.ts'
import { newNonce } from '../core/identity.ts'
import { retry } from '../lib/retry.ts'
import { isStoreError, type Store, type Version } from '../wire/store.ts'
import { swapRecord } from '../wire/swap.ts'

export interface Read<T> {
  readonly value: T
  readonly version: Version
}

export async function readRecord<T>(store: Store, key: string, signal?: AbortSignal): Promise<Read<T> | undefined> {
  const object = await store.read(key, undefined, signal)
  if (!object) return undefined
  // Written by us and by nobody else below our own prefix; a torn or foreign object is an error, not an absence.
  try {
    return { value: JSON.parse(Buffer.from(object.bytes).toString('utf8')) as T, version: object.version }
  } catch (cause) {
    throw new RemoteError(`store: ${key} is not a record of ours`, { cause })
  }
}

/**
 * Changes a record by compare-and-swap until it sticks. `change` sees the present value (or `undefined`) and returns the next one without
 * its nonce, or `undefined` to leave it. Resolves to what is stored at the end.
 */
export async function changeRecord<T extends { readonly nonce: string }>(
  store: Store,
  key: string,
  change: (now: T | undefined) => Omit<T, 'nonce'> | undefined,
): Promise<T | undefined> {
  for (;;) {
    const now = await readRecord<T>(store, key)
    const wish = change(now?.value)
    if (!wish) return now?.value
    const next = { ...wish, nonce: newNonce() } as T
    if (await swap(store, key, next, now?.version)) return next
  }
}

/** One attempt. `false`: somebody else was faster. A lost reply is settled by the same attempt once more. */
export async function swap<T extends { readonly nonce: string }>(
  store: Store,
  key: string,
  next: T,
  version: Version | undefined,
): Promise<boolean> {
  const again = (error: unknown): boolean => isStoreError(error, 'unavailable')
  const { won } = await retry(async () => swapRecord(store, key, next, version), { attempts: 2, first: 100, longest: 100, again })
  return won
}
