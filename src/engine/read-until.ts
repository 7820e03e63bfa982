/** The calls of a command that its user may interrupt: reading ends at once, a last call may take a moment longer. */
import { orAborted } from '../lib/abort.ts'
import type { Store } from '../wire/store.ts'
import type { Deployment } from './deployment.ts'

/** Milliseconds that a last call has after an interrupt. It usually arrives; if not, others have to wait until a lease or a pin expires. */
export const PARTING = 1000

/**
 * The same deployment for a reader: once the signal aborts, reading from the store rejects with its reason, even if the store does not answer.
 * Writing and removing are not cut short. Without a signal, it is the deployment itself.
 */
export function readUntil(d: Deployment, signal: AbortSignal | undefined): Deployment {
  return signal ? { ...d, store: storeUntil(d.store, signal) } : d
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
