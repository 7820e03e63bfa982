/** Compare-and-swap of small JSON records, for controllers. */
import { newNonce } from '../core/identity.ts'
import { retry } from '../lib/backoff.ts'
import type { RecordKind } from '../wire/parse.ts'
import { isStoreError, type Store, type Version } from '../wire/store.ts'
import { type Read, readRecord, swapRecord } from '../wire/swap.ts'

/**
 * Changes a record by compare-and-swap, as often as it takes. `change` gets the present value (`undefined`: there is no record), and returns the next
 * one without its nonce, or `undefined` to leave it as it is. Resolves to what is stored in the end.
 */
export async function changeRecord<T extends { readonly nonce: string }>(
  kind: RecordKind<T>,
  store: Store,
  key: string,
  change: (now: T | undefined) => Omit<T, 'nonce'> | undefined,
): Promise<T | undefined> {
  for (;;) {
    const now = await readRecord(kind, store, key)
    const changed = change(now?.value)
    if (!changed) return now?.value
    const next = { ...changed, nonce: newNonce() } as T
    if (await swap(kind, store, key, next, now?.version)) return next
  }
}

/**
 * Stores `next` if the store has `version` (`undefined`: no record). Resolves to what is stored then; `undefined`: somebody else was faster. After a
 * lost answer, the same write is made once more.
 */
export async function swap<T extends { readonly nonce: string }>(
  kind: RecordKind<T>,
  store: Store,
  key: string,
  next: T,
  version: Version | undefined,
): Promise<Read<T> | undefined> {
  const again = (error: unknown): boolean => isStoreError(error, 'unavailable')
  const swapped = await retry(async () => swapRecord(kind, store, key, next, version), { tries: 2, first: 100, longest: 100, again })
  return swapped.won ? { value: next, version: swapped.version } : undefined
}
