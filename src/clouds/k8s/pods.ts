/** What the status and the metadata of a pod say. */
import { CONTAINER } from './names.ts'
import { type Condition, type ContainerState, conditionOf, type Pod } from './objects.ts'

/** The annotation with the index of a pod; newer clusters also set it as a label. */
export const INDEX = 'batch.kubernetes.io/job-completion-index'

/** It has not ended, and was not told to. */
export function isLiving({ metadata, status }: Pod): boolean {
  return !metadata.deletionTimestamp && status?.phase !== 'Succeeded' && status?.phase !== 'Failed'
}

/** The index of its slot. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[INDEX] ?? metadata.labels?.[INDEX]
  return text === undefined ? undefined : Number(text)
}

/** The state of the program's container. */
export function programOf({ status }: Pod): ContainerState | undefined {
  return status?.containerStatuses?.find(({ name }) => name === CONTAINER.program)?.state
}

/**
 * The program has ended, but another container, such as that of a service mesh, keeps the pod alive: the cluster counts the pod as running and
 * never replaces it. Sidecars do not matter here, because Kubernetes ends them after the program; the status has them in `initContainerStatuses`.
 */
export function isHeldOpen(pod: Pod): boolean {
  const all = pod.status?.containerStatuses ?? []
  return programOf(pod)?.terminated !== undefined && all.some(({ state }) => state?.running !== undefined)
}

/** Present if the cluster removes the pod for a reason of its own: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions */
export const disruptionOf = (pod: Pod): Condition | undefined => conditionOf(pod, 'DisruptionTarget')
