/** A store in memory that can be told to fail. */
import type { Condition, Range, Store, StoredObject, StoreEntry, Version } from '../../src/wire/store.ts'
import { StoreError } from '../../src/wire/store.ts'

export interface MemoryStore extends Store {
  readonly objects: Map<string, { bytes: Uint8Array; version: Version }>
  readonly counts: { reads: number; writes: number; lists: number; removes: number; written: number }
  /** Called before each call; may throw or wait. */
  fault: (call: 'read' | 'write' | 'list' | 'remove', key: string) => void | Promise<void>
  /** Changes one byte of an object. */
  corrupt(key: string, at?: number): void
}

export function memoryStore(): MemoryStore {
  const objects = new Map<string, { bytes: Uint8Array; version: Version }>()
  const counts = { reads: 0, writes: 0, lists: 0, removes: 0, written: 0 }
  let versions = 0
  const store: MemoryStore = {
    url: 'memory://',
    objects,
    counts,
    fault: () => undefined,
    corrupt(key, at = 0) {
      const object = objects.get(key)
      if (object === undefined) throw new Error(`no ${key}`)
      const bytes = Uint8Array.from(object.bytes)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
      objects.set(key, { ...object, bytes })
    },
    init: () => Promise.resolve(),
    async read(key: string, range?: Range): Promise<StoredObject | undefined> {
      counts.reads += 1
      await store.fault('read', key)
      const object = objects.get(key)
      return object && { version: object.version, bytes: object.bytes.slice(range?.from ?? 0, range?.to) }
    },
    async write(key: string, body: Uint8Array, condition?: Condition): Promise<Version> {
      counts.writes += 1
      await store.fault('write', key)
      const present = objects.get(key)
      if (condition !== undefined) {
        const holds = 'absent' in condition ? present === undefined : present?.version === condition.version
        if (!holds) throw new StoreError('conflict', `condition on ${key} does not hold`)
      }
      counts.written += body.length
      const version = String(++versions)
      objects.set(key, { bytes: Uint8Array.from(body), version })
      return version
    },
    async *list(prefix: string, after = ''): AsyncGenerator<StoreEntry> {
      counts.lists += 1
      await store.fault('list', prefix)
      for (const key of [...objects.keys()].sort()) {
        if (key.startsWith(prefix) && key > after) yield { key, size: objects.get(key)?.bytes.length ?? 0 }
      }
    },
    async remove(keys: readonly string[], condition?: { readonly version: Version }): Promise<void> {
      counts.removes += 1
      for (const key of keys) {
        await store.fault('remove', key)
        const present = objects.get(key)
        if (condition !== undefined && present !== undefined && present.version !== condition.version)
          throw new StoreError('conflict', `condition on ${key} does not hold`)
        objects.delete(key)
      }
    },
    clear(prefix: string): Promise<void> {
      for (const key of objects.keys()) if (key.startsWith(prefix)) objects.delete(key)
      return Promise.resolve()
    },
  }
  return store
}
