/** A store for verbs that only look: what they write stays in memory and is read back, so they see what an acting verb would record. */
import { newNonce } from '../../core/identity.ts'
import type { Store, StoredObject } from '../../wire/store.ts'

/** `touched`: whether something was written or removed. */
export function overlay(store: Store): Store & { touched(): boolean } {
  const laid = new Map<string, StoredObject | undefined>()
  return {
    url: store.url,
    touched: () => laid.size > 0,
    init: async () => undefined,
    async read(key, range, signal, received) {
      if (!laid.has(key)) return store.read(key, range, signal, received)
      const object = laid.get(key)
      return object && { ...object, bytes: object.bytes.slice(range?.from ?? 0, range?.to) }
    },
    async write(key, bytes) {
      const version = newNonce()
      laid.set(key, { bytes, version })
      return version
    },
    list: (prefix, after, signal) => store.list(prefix, after, signal),
    async remove(keys) {
      for (const key of keys) laid.set(key, undefined)
    },
    clear: async () => undefined,
  }
}
