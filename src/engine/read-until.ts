/** Calls of a command that its user may interrupt: what it reads ends at once, a last call may take a moment. */
import { orAborted } from '../lib/abort.ts'
import type { Store } from '../wire/store.ts'
import type { Deployment } from './deployment.ts'

/** Milliseconds after an interrupt for a last call: it usually arrives, and if not, others wait for a lease or a pin to expire. */
export const PARTING = 1000

/**
 * The same deployment for a reader: what it reads from the store ends with the signal, and rejects with its reason, even if the store does not
 * answer. What it writes or removes there is not cut short.
 */
export function readUntil(d: Deployment, signal: AbortSignal): Deployment {
  return { ...d, store: storeUntil(d.store, signal) }
}

function storeUntil(store: Store, signal: AbortSignal): Store {
  const both = (own: AbortSignal | undefined): AbortSignal => (own && own !== signal ? AbortSignal.any([signal, own]) : signal)
  return {
    url: store.url,
    listsFromStart: store.listsFromStart === true,
    init: async (prefix) => store.init(prefix),
    async read(key, range, own, received) {
      signal.throwIfAborted()
      return orAborted(store.read(key, range, both(own), received), signal)
    },
    write: async (key, body, condition, own, sent) => store.write(key, body, condition, own, sent),
    list: (prefix, after, own) => store.list(prefix, after, both(own)),
    remove: async (keys, condition) => store.remove(keys, condition),
    clear: async (prefix) => store.clear(prefix),
  }
}
