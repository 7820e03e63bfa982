/** Helpers that the parts of the store suite share. */
import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import type { Store, StoreAccess, StoreError, StoreFault } from '../../src/wire/store.ts'

export interface StoreQuirks {
  /** It has folders: it refuses writes below an incarnation that was not initialised, or was cleared. */
  readonly folders: boolean
  /** Versions are hashes of the content: two states differ only if their bytes do. */
  readonly contentVersions: boolean
  /** How often what is between client and server may cut a watch off. Readers open another one (`engine/follow/mirror.ts`). Absent: never. */
  readonly cuts?: number
}

/** The store under test; every test works in an incarnation of its own. */
export class Lab {
  readonly #open: () => Promise<StoreAccess>
  #access: StoreAccess | undefined
  #store: Store | undefined
  constructor(open: () => Promise<StoreAccess>) {
    this.#open = open
  }
  async start(): Promise<void> {
    this.#access = await this.#open()
    this.#store = await openStore(this.#access)
  }
  async stop(): Promise<void> {
    await this.#store?.close?.()
  }
  get store(): Store {
    return this.#store!
  }
  get access(): StoreAccess {
    return this.#access!
  }
  /** The root of a new incarnation, ending in `/`. */
  async fresh(): Promise<string> {
    const root = `id-${randomUUID()}/inc/`
    await this.store.init(root)
    return root
  }
}

export const bytes = (text: string): Uint8Array => Buffer.from(text)

export async function textAt(store: Store, key: string): Promise<string | undefined> {
  const object = await store.read(key)
  return object && Buffer.from(object.bytes).toString()
}

export async function keysOf(store: Store, prefix: string, after?: string): Promise<string[]> {
  const keys: string[] = []
  for await (const entry of store.list(prefix, after)) keys.push(entry.key)
  return keys
}

/** Matches a StoreError of this kind. */
export function fault(kind: StoreFault): Partial<StoreError> {
  return expect.objectContaining({ name: 'StoreError', kind }) as Partial<StoreError>
}

/** Order of keys in every list. */
export function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
