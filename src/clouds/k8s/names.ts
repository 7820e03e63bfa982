/** Names of tpi's objects, and how they are found again. */
import type { Reference } from '../../core/cloud.ts'

const DOMAIN = 'tpi.iterative.ai'

export const LABEL = {
  /** On all of tpi's objects. */
  managed: 'app.kubernetes.io/managed-by',
  id: `${DOMAIN}/id`,
  incarnation: `${DOMAIN}/incarnation`,
  role: `${DOMAIN}/role`,
} as const
export const MANAGED = 'tpi-action'
/** `user`: on a store, the incarnation that used it last. */
export const ANNOTATION = { tags: `${DOMAIN}/tags`, user: `${DOMAIN}/user` } as const

/** `record`: what stays when the store has ended itself (`tombstone.ts`). */
export type Role = 'store' | 'task' | 'record'

export const labelsOf = ({ id, incarnation }: Reference, role: Role): Record<string, string> => ({
  [LABEL.managed]: MANAGED,
  [LABEL.id]: id,
  [LABEL.incarnation]: incarnation,
  [LABEL.role]: role,
})
/** Selects everything of a deployment in one role, whichever incarnation made it. */
export const selectorOf = (id: string, role: Role): string => `${LABEL.id}=${id},${LABEL.role}=${role}`
/** Selects the pods of a group. */
export const groupSelector = ({ id, incarnation }: Reference): string => `${selectorOf(id, 'task')},${LABEL.incarnation}=${incarnation}`

/**
 * An id has at most 55 characters. A Service may have 63, a Job 61: the API server refuses a Job if its name plus a pod's number would be
 * too long. All incarnations share the store, so its name has only the id.
 */
export const storeName = (id: string): string => `${id}-store`
export const recordName = (id: string): string => `${id}-kept`

/** Most characters of a group's name, so that "-9999" fits after it. */
const ROOM = 58

/** Name of the group and of what its pods mount. If the id is too long, its readable part is cut, but not the hash that makes it unique. */
export function taskName({ id, incarnation }: Reference): string {
  const tail = `${/-[^-]*$/.exec(id)?.[0] ?? ''}-${incarnation}`
  const head = id.slice(0, id.lastIndexOf('-')).slice(0, ROOM - tail.length)
  return `${head.replace(/-+$/, '')}${tail}`
}

const isBelow = (name: string, base: string): boolean => name === base || name.startsWith(`${base}-`)

/** Whether it is the group of an incarnation, or one of its pods. */
export const isOfGroup = (of: Reference, { name = '' }: { readonly name?: string }): boolean => isBelow(name, taskName(of))

/** Whether it is a part of a deployment's store. */
export const isOfStore = (id: string, { name = '' }: { readonly name?: string }): boolean => name === id || isBelow(name, storeName(id))

/** Name of the ConfigMap with the agent. `base`: the Job whose pods mount it. */
export const agentName = (base: string, digest: string): string => `${base}-${digest.slice(0, 12)}`

export const STORE_PORT = 7070

/** Paths in tpi's pods. */
export const PLACE = {
  /** tpi's runtime and the agent. */
  runtime: '/tpi',
  node: '/tpi/node',
  agent: '/tpi/agent.mjs',
  /** Configuration, mounted by Kubernetes: only in the init container and the store. */
  config: '/tpi-config',
  secret: '/tpi-secret',
  /** In memory: credentials on their way to the agent. */
  handover: '/tpi-handover',
  /** The machine's home: work directory, spool. */
  home: '/tpi-home',
  /** The store's claim. */
  store: '/tpi-store',
} as const

/** Where a pod has namespace, certificate and token of its service account, if it has one. */
export const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Names of containers: those that run tpi's own image, the Docker daemon beside a runner, and the program in the user's image. */
export const CONTAINER = { init: 'tpi', gate: 'tpi-gate', store: 'tpi-store', docker: 'tpi-docker', program: 'main' } as const

/** Bytes. A ConfigMap holds 1 MiB (https://kubernetes.io/docs/concepts/configuration/configmap/), and base64 makes the agent a third larger. */
export const MAX_AGENT_BYTES = 700_000

/** The user of tpi's own containers. */
export const OUR_UID = 65_532
