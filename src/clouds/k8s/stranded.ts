/** Pods whose end nobody will ever report: their node does not answer any more. */
import type { Pod } from './objects.ts'

/** Milliseconds that a kubelet may be late. */
const LATE = 15_000

/**
 * The time of a deletion is when the pod has had all its grace. `now`: by the clock of the API server, which wrote that time. What such a pod
 * may still do elsewhere does not count: the record of its slot has moved on.
 */
export function isStranded({ metadata }: Pod, now: number): boolean {
  return metadata.deletionTimestamp !== undefined && now > Date.parse(metadata.deletionTimestamp) + LATE
}

export function isPresent(pod: Pod, now: number): boolean {
  return pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && !isStranded(pod, now)
}
