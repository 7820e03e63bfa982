/** Names of tpi's objects, and how they are found again. */
import type { Reference } from '../../core/cloud.ts'

const DOMAIN = 'tpi.iterative.ai'

export const LABEL = {
  /** On everything that tpi makes. */
  managed: 'app.kubernetes.io/managed-by',
  id: `${DOMAIN}/id`,
  incarnation: `${DOMAIN}/incarnation`,
  role: `${DOMAIN}/role`,
} as const
export const MANAGED = 'tpi-action'
/** `user`: of a store, the incarnation that has come to use it last. */
export const ANNOTATION = { tags: `${DOMAIN}/tags`, user: `${DOMAIN}/user` } as const

/** `record`: what outlives the store. */
export type Role = 'store' | 'task' | 'record'

export const labelsOf = ({ id, incarnation }: Reference, role: Role): Record<string, string> => ({
  [LABEL.managed]: MANAGED,
  [LABEL.id]: id,
  [LABEL.incarnation]: incarnation,
  [LABEL.role]: role,
})
/** Pods of a store, or of what outlives it: of a deployment, whichever incarnation has made it. */
export const selectorOf = (id: string, role: Role): string => `${LABEL.id}=${id},${LABEL.role}=${role}`
/** Of a group. */
export const groupSelector = ({ id, incarnation }: Reference): string => `${selectorOf(id, 'task')},${LABEL.incarnation}=${incarnation}`

/**
 * An id has at most 55 characters. A Service has room for 63, a Job for 61: the API server refuses one whose pods could not be called by its name
 * and their number. The store is the place where incarnations meet, so it is called by the id alone.
 */
export const storeName = (id: string): string => `${id}-store`
export const recordName = (id: string): string => `${id}-kept`

/** Characters that leave room for "-9999". */
const ROOM = 58

/** Of the group and of what its pods mount. A long id gives up the end of its readable part: what tells it apart is the hash behind that. */
export function taskName({ id, incarnation }: Reference): string {
  const tail = `${/-[^-]*$/.exec(id)?.[0] ?? ''}-${incarnation}`
  const head = id.slice(0, id.lastIndexOf('-')).slice(0, ROOM - tail.length)
  return `${head.replace(/-+$/, '')}${tail}`
}

const isBelow = (name: string, base: string): boolean => name === base || name.startsWith(`${base}-`)

/** The group of an incarnation, and its pods. */
export const isOfGroup = (of: Reference, { name = '' }: { readonly name?: string }): boolean => isBelow(name, taskName(of))

/** Part of the store of a deployment. */
export const isOfStore = (id: string, { name = '' }: { readonly name?: string }): boolean => name === id || isBelow(name, storeName(id))

/** `base`: whose pods mount it. */
export const agentName = (base: string, digest: string): string => `${base}-${digest.slice(0, 12)}`

export const STORE_PORT = 7070

/** Paths inside tpi's pods. */
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

/** Names of containers: those that run tpi's own image, the Docker daemon beside a runner, and the program's, in an image of the user's. */
export const CONTAINER = { init: 'tpi', gate: 'tpi-gate', store: 'tpi-store', docker: 'tpi-docker', program: 'main' } as const

/** A ConfigMap holds less than 1 MiB. */
export const MAX_AGENT_BYTES = 700_000

/** The user of tpi's own containers. */
export const OUR_UID = 65_532
