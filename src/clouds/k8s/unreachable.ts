/** Objects that should be gone by now but are still there: pods on a node that does not answer any more, or a claim in a busy cluster. */
import type { Pod, Thing } from './objects.ts'

/** Milliseconds that a kubelet may be late. */
const LATE = 15_000

/**
 * `deletionTimestamp` is the time at which the grace of an object ends. `now`: by the clock of the API server, which wrote that time. Whether
 * such a pod still runs on its node does not matter: another machine takes its slot with the next epoch.
 */
export function isUnreachable({ metadata }: Thing, now: number): boolean {
  return metadata.deletionTimestamp !== undefined && now > Date.parse(metadata.deletionTimestamp) + LATE
}

/** It has not ended, and is not on a lost node. */
export function isPresent(pod: Pod, now: number): boolean {
  return pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && !isUnreachable(pod, now)
}
