/** Objects that should be gone by now but are not released: pods of a node that does not answer any more, or a claim in a busy cluster. */
import type { Pod, Thing } from './objects.ts'

/** Milliseconds that a kubelet may be late. */
const LATE = 15_000

/**
 * The time of a deletion is when the pod's grace ends. `now`: by the clock of the API server, which wrote that time. What such a pod
 * may still do elsewhere does not matter: the record of its slot has moved on.
 */
export function isUnreachable({ metadata }: Thing, now: number): boolean {
  return metadata.deletionTimestamp !== undefined && now > Date.parse(metadata.deletionTimestamp) + LATE
}

export function isPresent(pod: Pod, now: number): boolean {
  return pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && !isUnreachable(pod, now)
}
