/** Finds pods that are stuck for good: after a while, a container that cannot be started is hopeless. */
import type { Api } from './api.ts'
import { type HeldUp, heldUp, isTriedAgain } from './messages.ts'
import type { Pod } from './objects.ts'

/** Milliseconds. In this time, a kubelet tries three times: it pauses 10 s after the first try and 20 s after the second. */
const HOPELESS = 40_000
/** Lines of a container's log that are shown. */
const LOG_LINES = 12

export interface Stuck extends HeldUp {
  /** For how many milliseconds. */
  readonly time: number
}

/** The time counts from when a pod was first seen stuck, not from its start: it may have waited long for a node. */
export class StuckPods {
  readonly #since = new Map<string, number>()

  /**
   * Why a pod is stuck; `undefined`: it is not, or not for long enough. An image that cannot be pulled at first may be available in a minute: the
   * registry is busy, a secret is being made, or the node is new.
   */
  hopeless(pod: Pod, now = performance.now()): Stuck | undefined {
    const { name } = pod.metadata
    const held = heldUp(pod)
    if (!held) {
      if (!isTriedAgain(pod)) this.#since.delete(name)
      return undefined
    }
    const since = this.#since.get(name) ?? now
    this.#since.set(name, since)
    return now - since >= HOPELESS ? { ...held, time: now - since } : undefined
  }
}

/** For people; with the end of its log, if a container was started, but fails. */
export async function whyStuck(api: Pick<Api, 'log'>, { metadata }: Pod, { container, why, ran }: Stuck): Promise<string> {
  const log = ran ? (await api.log(metadata.name, container, LOG_LINES)).trimEnd() : ''
  return log === '' ? why : `${why}; its log ends: ${log}`
}
