/** Reading a record, and changing it by compare-and-swap, for machines and controllers. */
import { parseRecord, type RecordKind, recordBytes } from './parse.ts'
import { isStoreError, type Store, type StoredObject, type Version } from './store.ts'

export interface Read<T> {
  readonly value: T
  readonly version: Version
}

/** `undefined`: there is none. Throws StoreError `corrupt` if it is not such a record: a torn, forged or newer one does not count as absent. */
export async function readRecord<T>(
  kind: RecordKind<T>,
  store: Pick<Store, 'read'>,
  key: string,
  signal?: AbortSignal,
): Promise<Read<T> | undefined> {
  const object = await store.read(key, undefined, signal)
  return object && { value: parseRecord(kind, object.bytes, key), version: object.version }
}

/** `there`: what a faster writer has stored instead; `undefined`: the record is gone. */
export type Swap = { readonly won: true; readonly version: Version } | { readonly won: false; readonly there: StoredObject | undefined }

/**
 * Stores `next`, whose nonce is fresh, if the store has `version` (`undefined`: no record). Rejects if it is not known whether the write has
 * arrived; it may then be repeated with the same `next`: if the first write did arrive, the record has our own nonce, and the swap is won.
 */
export async function swapRecord<T extends { readonly nonce: string }>(
  kind: RecordKind<T>,
  store: Pick<Store, 'read' | 'write'>,
  key: string,
  next: T,
  version: Version | undefined,
  signal?: AbortSignal,
): Promise<Swap> {
  try {
    const condition = version === undefined ? ({ absent: true } as const) : { version }
    return { won: true, version: await store.write(key, recordBytes(kind, next), condition, signal) }
  } catch (error) {
    if (!isStoreError(error, 'conflict')) throw error
    const there = await store.read(key, undefined, signal)
    return there && nonceOf(kind, there, key) === next.nonce ? { won: true, version: there.version } : { won: false, there }
  }
}

/** `undefined` if it is not a record of tpi. */
function nonceOf<T extends { readonly nonce: string }>(kind: RecordKind<T>, { bytes }: StoredObject, key: string): string | undefined {
  try {
    return parseRecord(kind, bytes, key).nonce
  } catch {
    return undefined
  }
}
