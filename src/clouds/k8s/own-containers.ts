/** The security context of tpi's own containers, and the resources that they request. */
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
 * The files of its volumes belong to the user of a pod. That changes group and mode of everything in a volume that the cluster mounts as a disk:
 * done once, while the root of the volume is not the user's yet, it neither takes minutes for each pod nor undoes what others change since.
 * https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods
 */
export const volumesOf = (user: number): object => ({ fsGroup: user, fsGroupChangePolicy: 'OnRootMismatch' })

/** What the runtime image is made for (scripts/runtime-image.ts). A cluster may also have nodes of other kinds. */
export const OUR_NODES = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } as const

/** Small requests and a limit: pods without requests are evicted first. */
export const SMALL = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } } as const

/** For a container that only copies: with larger requests, fewer pods would fit on a node. */
export const BRIEF = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } } as const
/** Cores and bytes with which a copy is as fast as without a limit. */
const ENOUGH = { cpu: 0.5, memoryBytes: 256 * 2 ** 20 } as const

/**
 * The user's program requests both. If all containers of a pod have requests = limits, a node evicts it last, and gives it whole cores
 * if it is configured so: tpi's containers then do the same. https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/
 */
const hasAskedForBoth = ({ cpu = 0, memoryBytes = 0 }: Resources): boolean => cpu >= ENOUGH.cpu && memoryBytes >= ENOUGH.memoryBytes

/** For a container that copies before the program starts: the program's own amounts, which the pod has anyway. */
export const before = (program: Resources): object => (hasAskedForBoth(program) ? exactly(program) : BRIEF)

/** For a container that runs beside the program. */
export const beside = (program: Resources): object => (hasAskedForBoth(program) ? exactly(ENOUGH) : SMALL)

function exactly({ cpu, memoryBytes }: Resources): object {
  const amounts = quantities({ ...(cpu !== undefined && { cpu }), ...(memoryBytes !== undefined && { memoryBytes }) }, undefined)
  return { requests: amounts, limits: amounts }
}
