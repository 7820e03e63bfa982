/** What can be read off a pod. */
import { CONTAINER } from './names.ts'
import type { Condition, ContainerState, Pod } from './objects.ts'

const INDEX = 'batch.kubernetes.io/job-completion-index'

export function isLiving({ metadata, status }: Pod): boolean {
  return !metadata.deletionTimestamp && status?.phase !== 'Succeeded' && status?.phase !== 'Failed'
}

/** Of its slot; the cluster puts it where the version of Kubernetes says. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[INDEX] ?? metadata.labels?.[INDEX]
  return text === undefined ? undefined : Number(text)
}

/** What the container of the program is at. */
export function programOf({ status }: Pod): ContainerState | undefined {
  return status?.containerStatuses?.find(({ name }) => name === CONTAINER.program)?.state
}

/** The cluster takes it away, for a reason of its own: https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions */
export function disruptionOf({ status }: Pod): Condition | undefined {
  return status?.conditions?.find((one) => one.type === 'DisruptionTarget' && one.status === 'True')
}
