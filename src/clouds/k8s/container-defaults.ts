/** What tpi's own containers may do, and the resources they request. */
import { OUR_UID } from './names.ts'
import { quantities, type Resources } from './sizes.ts'

/** As the restricted standard requires of tpi's own containers. */
export const LOCKED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: OUR_UID,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
} as const

/** Small, and limited: what is without requests is evicted first. */
export const SMALL = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } } as const

/** Of a container that only copies: what it asks for keeps many pods from one node. */
export const BRIEF = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } } as const
/** Cores and bytes with which it is as quick as without a limit. */
const ENOUGH = { cpu: 0.5, memoryBytes: 256 * 2 ** 20 } as const

/**
 * A program that has asked for both. Where all containers of a pod have requests = limits, a node takes from it last, and gives it whole cores
 * where it is set up to: so have ours then. https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/
 */
const hasAskedForBoth = ({ cpu = 0, memoryBytes = 0 }: Resources): boolean => cpu >= ENOUGH.cpu && memoryBytes >= ENOUGH.memoryBytes

/** Of what copies before the program begins: as much as that, which the pod has anyway. */
export const before = (program: Resources): object => (hasAskedForBoth(program) ? exactly(program) : BRIEF)

/** Of what works beside the program. */
export const beside = (program: Resources): object => (hasAskedForBoth(program) ? exactly(ENOUGH) : SMALL)

function exactly({ cpu, memoryBytes }: Resources): object {
  const amounts = quantities({ ...(cpu !== undefined && { cpu }), ...(memoryBytes !== undefined && { memoryBytes }) }, undefined)
  return { requests: amounts, limits: amounts }
}
