/** Pods whose containers cannot be started: after a while, that is hopeless. */
import { heldUp } from './messages.ts'
import type { Pod } from './objects.ts'

/** Milliseconds: three tries of a kubelet, which pauses 10 s after the first and 20 s after the second. */
const HOPELESS = 40_000

/** Counts from when a pod was first seen like that: before, it may have waited long for a node that is just being made. */
export class StuckPods {
  readonly #since = new Map<string, number>()

  /**
   * Why it is hopeless. An image that cannot be pulled at first may be available in a minute: a registry is busy, a secret is being made, or
   * the node is new.
   */
  hopeless(pod: Pod, now = performance.now()): string | undefined {
    const { name } = pod.metadata
    const why = heldUp(pod)
    if (why === undefined) {
      this.#since.delete(name)
      return undefined
    }
    const since = this.#since.get(name) ?? now
    this.#since.set(name, since)
    return now - since >= HOPELESS ? why : undefined
  }
}
