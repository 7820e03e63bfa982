/** A store behind the server that alone has the credentials (`stores/gate.ts`), as pods of Kubernetes reach a store outside their cluster. */
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { storeServer } from '../../src/stores/http/server.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { Store, StoreAccess } from '../../src/wire/store.ts'
import { closed, listening } from '../setup/listening.ts'

export class Gates {
  readonly #all: { readonly store: Store; readonly server: Server }[] = []

  async to(access: StoreAccess): Promise<StoreAccess> {
    const [token, store] = [randomUUID(), await openStore(access)]
    const server = storeServer({ store, token })
    this.#all.push({ store, server })
    return { url: `http://127.0.0.1:${await listening(server, '127.0.0.1')}/`, credentials: { token } }
  }

  async stop(): Promise<void> {
    for (const { store, server } of this.#all) {
      await closed(server)
      await store.close?.()
    }
  }
}
