/** When the cluster makes the next pod of an index, by the rule of its Job controller: for people who wonder what they are waiting for. */
import type { Pod } from './objects.ts'

/** Milliseconds after the first failure; twice as many after each further one, up to `LONGEST`. Source: job_controller.go of Kubernetes. */
const FIRST = 10_000
const LONGEST = 600_000
const FAILURES = 'batch.kubernetes.io/job-index-failure-count'

/**
 * Milliseconds from `now` (by the API server's clock) until a pod replaces this one; `undefined`: this one is not over yet, the next one is
 * due, or its work is done.
 */
export function replacedIn(pod: Pod, now: number): number | undefined {
  const end = failedAt(pod)
  if (end === undefined) return undefined
  const before = Number(pod.metadata.annotations?.[FAILURES] ?? 0)
  const remaining = end + Math.min(FIRST * 2 ** before, LONGEST) - now
  return remaining > 0 ? remaining : undefined
}

/** When a pod failed, or was told to end, in milliseconds since 1970. */
function failedAt({ metadata, status }: Pod): number | undefined {
  const containers = status?.containerStatuses ?? []
  // A success. The phase of the pod says so only a moment later.
  if (containers.length > 0 && containers.every(({ state }) => state?.terminated?.exitCode === 0)) return undefined
  const ends = containers.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''))
  if (ends.length > 0 && ends.every((end) => end > 0)) return Math.max(...ends)
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  if (status?.phase === 'Failed' && ready?.status === 'False') return Date.parse(ready.lastTransitionTime ?? '') || undefined
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata
  return deletionTimestamp === undefined ? undefined : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000
}
