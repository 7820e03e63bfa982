/** Watches the pod of a store that was just created, at the API server: one call from before the pod is made until it runs. */
import { AuthError } from '../../core/errors.ts'
import type { Api } from './api.ts'
import { selectorOf } from './names.ts'
import type { Pod } from './objects.ts'

/** Seconds after which the server ends the watch. Stores start sooner; a command that still waits then asks the store itself. */
const LONGEST = '600'

/** `begun`: there is no pod yet. `unknown`: the watch is over; ask the store. */
type Stage = 'begun' | 'made' | 'runs' | 'unknown'

export class StorePodWatch {
  #stage: Stage = 'begun'
  #refused: AuthError | undefined

  constructor(api: Api, id: string, signal: AbortSignal) {
    void this.#follow(api, id, signal)
  }

  /** Makes no call. Throws if the API server refused the watch. */
  get stage(): Stage {
    if (this.#refused) throw this.#refused
    return this.#stage
  }

  /** `undefined`: the watch is over; ask the store. */
  get runs(): boolean | undefined {
    return this.stage === 'unknown' ? undefined : this.stage === 'runs'
  }

  async #follow(api: Api, id: string, signal: AbortSignal): Promise<void> {
    const query = { labelSelector: selectorOf(id, 'store'), timeoutSeconds: LONGEST }
    try {
      for await (const { type, object } of api.changes<Pod>('pods', query, signal)) {
        if (type === 'ADDED' || type === 'MODIFIED') this.#stage = isUp(object) ? 'runs' : 'made'
        if (this.#stage === 'runs') return
      }
      this.#stage = 'unknown'
    } catch (error) {
      if (error instanceof AuthError) this.#refused = error
      this.#stage = 'unknown'
    }
  }
}

function isUp({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.containerStatuses?.some(({ state }) => state?.running) === true
}
