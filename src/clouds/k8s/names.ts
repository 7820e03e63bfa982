/** What our objects are called and how they are found again. */

const DOMAIN = 'tpi.iterative.ai'

export const LABEL = {
  /** On everything of ours. */
  managed: 'app.kubernetes.io/managed-by',
  id: `${DOMAIN}/id`,
  role: `${DOMAIN}/role`,
} as const
export const MANAGED = 'tpi-action'
export const ANNOTATION = { tags: `${DOMAIN}/tags` } as const

/** `record`: what outlives the store. */
export type Role = 'store' | 'task' | 'record'

export const labelsOf = (id: string, role: Role): Record<string, string> => ({
  [LABEL.managed]: MANAGED,
  [LABEL.id]: id,
  [LABEL.role]: role,
})
export const selectorOf = (id: string, role: Role): string => `${LABEL.id}=${id},${LABEL.role}=${role}`

/**
 * An id has at most 55 characters. A Service has room for 63, a Job for 61: the API server refuses one whose pods could not be called by its name
 * and their number.
 */
export const storeName = (id: string): string => `${id}-store`
export const recordName = (id: string): string => `${id}-kept`
export const taskName = (id: string): string => id
/** Part of the store of a deployment: the Job of the task has the name of the claim, and pods of its own. */
export function isOfStore(id: string, { kind, name = '' }: { readonly kind?: string; readonly name?: string }): boolean {
  return name === id ? kind !== 'Job' : name === storeName(id) || name.startsWith(`${storeName(id)}-`)
}
export const agentName = (id: string, role: Role, digest: string): string => `${id}-${role}-${digest.slice(0, 12)}`

export const STORE_PORT = 7070

/** Where things are inside of our pods. */
export const PLACE = {
  /** Our runtime and the agent. */
  runtime: '/tpi',
  node: '/tpi/node',
  agent: '/tpi/agent.mjs',
  /** Configuration as Kubernetes mounts it: init container and store only. */
  config: '/tpi-config',
  secret: '/tpi-secret',
  /** Memory: credentials on their way to the agent. */
  handover: '/tpi-handover',
  /** Home of the machine: work directory, spool. */
  home: '/tpi-home',
  /** The claim behind the store. */
  store: '/tpi-store',
} as const

/** Names of containers: what runs our own image, and the program's, in an image of the user's. */
export const CONTAINER = { init: 'tpi', store: 'tpi-store', program: 'main' } as const

/** A ConfigMap holds less than 1 MiB. */
export const MAX_AGENT_BYTES = 700_000

/** The user of our own containers. */
export const OUR_UID = 65_532
