/** The security context of tpi's own containers, the nodes that they need, and the resources that they request. */
import { OUR_UID } from './names.ts'
import { quantities, type Resources } from './sizes.ts'

/** What the restricted standard requires of tpi's own containers. */
export const LOCKED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: OUR_UID,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
} as const

/**
 * Gives the files of a pod's volumes to its user. On a disk, the cluster then changes group and mode of every file. It does so only while the root
 * of the volume is not the user's yet: for each pod, it would take minutes, and undo what others have changed since.
 * https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods
 */
export const volumesOf = (user: number): object => ({ fsGroup: user, fsGroupChangePolicy: 'OnRootMismatch' })

/** Nodes for which the runtime image is made (scripts/runtime-image.ts). A cluster may also have others. */
export const OUR_NODES = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } as const

/** For a container that runs all the time. It requests something, because pods without requests are evicted first. */
export const SMALL = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } } as const

/** For a container that only copies before the program starts. With larger requests, fewer pods would fit on a node. */
export const BRIEF = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } } as const

/** Cores and bytes that are enough for each of tpi's containers: with them, a copy is as fast as without a limit. */
const ENOUGH = { cpu: 0.5, memoryBytes: 256 * 2 ** 20 } as const

/**
 * The user's program requests at least that much of both. Then tpi's containers have requests = limits, too: if all containers of a pod have,
 * a node evicts it last, and gives it whole cores if it is configured to. https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/
 */
const hasEnough = ({ cpu = 0, memoryBytes = 0 }: Resources): boolean => cpu >= ENOUGH.cpu && memoryBytes >= ENOUGH.memoryBytes

/** For a container that copies before the program starts: the program's own amounts, which the pod has anyway. */
export const before = (program: Resources): object => (hasEnough(program) ? exactly(program) : BRIEF)

/** For a container that runs beside the program. */
export const beside = (program: Resources): object => (hasEnough(program) ? exactly(ENOUGH) : SMALL)

function exactly({ cpu, memoryBytes }: Resources): object {
  const amounts = quantities({ ...(cpu !== undefined && { cpu }), ...(memoryBytes !== undefined && { memoryBytes }) }, undefined)
  return { requests: amounts, limits: amounts }
}
