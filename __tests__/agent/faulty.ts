/** A store whose faults the test decides. */
import {
  type Condition,
  type Range,
  type Store,
  type StoredObject,
  type StoreEntry,
  StoreError,
  type Version,
} from '../../src/wire/store.ts'

export interface Call {
  readonly verb: 'read' | 'write' | 'list' | 'remove'
  readonly key: string
  readonly body?: Uint8Array
}

/** `away`: the call does not happen. `mute`: it happens, and the reply is lost. `full`, `denied`: it is refused. */
export type Fault = 'away' | 'mute' | 'full' | 'denied' | undefined

export function faulty(store: Store, fault: (call: Call) => Fault | Promise<Fault>): Store & { readonly calls: Call[] } {
  const calls: Call[] = []
  async function through<T>(call: Call, act: () => Promise<T>): Promise<T> {
    calls.push(call)
    const what = await fault(call)
    if (what === 'away') throw new StoreError('unavailable', 'the store is away')
    if (what === 'full' || what === 'denied') throw new StoreError(what, `the store is ${what}`)
    const result = await act()
    if (what === 'mute') throw new StoreError('unavailable', 'the connection broke')
    return result
  }
  return {
    calls,
    url: store.url,
    init: async (prefix) => store.init(prefix),
    read: async (key: string, range?: Range, signal?: AbortSignal): Promise<StoredObject | undefined> =>
      through({ verb: 'read', key }, async () => store.read(key, range, signal)),
    write: async (key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal): Promise<Version> =>
      through({ verb: 'write', key, body }, async () => store.write(key, body, condition, signal)),
    async *list(prefix: string, after?: string, signal?: AbortSignal): AsyncIterable<StoreEntry> {
      await through({ verb: 'list', key: prefix }, async () => undefined)
      yield* store.list(prefix, after, signal)
    },
    remove: async (keys) => through({ verb: 'remove', key: keys.join(' ') }, async () => store.remove(keys)),
    clear: async (prefix) => store.clear(prefix),
  }
}
