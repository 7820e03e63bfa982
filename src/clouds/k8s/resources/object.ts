/** Objects without a size: secrets, configuration, claims, services. */
import type { Reference } from '../../../core/cloud.ts'
import type { Ensured, Removed, Resource } from '../../../core/resource.ts'
import type { Api, Deleted, Kind } from '../api.ts'
import { stillThere } from '../errors.ts'
import { labelsOf, type Role } from '../names.ts'
import type { Meta, Thing } from '../objects.ts'
import { isUnreachable } from '../unreachable.ts'

/** The Job that owns an object: the cluster removes the object with it. */
export interface OwnerReference {
  readonly uid: string
  readonly name: string
}

export function ownedBy({ uid, name }: OwnerReference): object[] {
  return [{ apiVersion: 'batch/v1', kind: 'Job', uid, name, controller: false }]
}

export interface ObjectParams {
  readonly of: Reference
  readonly role: Role
  /** After this signal nothing is made; removal goes on. */
  readonly signal: AbortSignal
  /** The owner; asked for when the object is made. */
  readonly owner: () => Promise<OwnerReference>
  /** Without labels and owner. */
  readonly make: () => Promise<{ readonly metadata: { readonly name: string; readonly labels?: object } }>
}

interface Owned extends Thing {
  readonly metadata: Meta & { readonly ownerReferences?: readonly { readonly uid: string; readonly name: string }[] }
}

export function objectResource(api: Api, kind: Kind, noun: string, name: string, params?: ObjectParams): Resource {
  return {
    kind: noun,
    name,
    ...paced(kind),
    ensure: async () => (params ? ensureObject(api, kind, noun, name, params) : 'found'),
    // With `params`, it stays as long as its owner does; without, it is removed in any case.
    remove: async () => removeObject(api, kind, name, params !== undefined),
  }
}

/** An object that stays as long as its owner does. */
export function lentObject(api: Api, kind: Kind, noun: string, name: string): Resource {
  return { kind: noun, name, ...paced(kind), ensure: async () => 'found', remove: async () => removeObject(api, kind, name, true) }
}

/** A claim stays until the pod that uses it is gone. */
const paced = (kind: Kind): { readonly pace?: number } => (kind === 'persistentvolumeclaims' ? { pace: 1000 } : {})

async function ensureObject(api: Api, kind: Kind, noun: string, name: string, params: ObjectParams): Promise<Ensured> {
  params.signal.throwIfAborted()
  const owner = await params.owner()
  const object = await params.make()
  const metadata = {
    ...object.metadata,
    labels: { ...object.metadata.labels, ...labelsOf(params.of, params.role) },
    ownerReferences: ownedBy(owner),
  }
  if (await api.create(kind, { ...object, metadata })) return 'created'
  const there = await api.get<Owned>(kind, name)
  // One that another root owns is left from a former run, and the cluster removes it.
  if (!there || there.metadata.deletionTimestamp || !there.metadata.ownerReferences?.some(({ uid }) => uid === owner.uid)) {
    throw stillThere(`${noun} ${name}`)
  }
  return 'found'
}

/**
 * The cluster also removes an object with its owner, but in its own time: after an outage of the API server, it may be busy for minutes. A claim
 * stays until the cluster has seen that no pod uses it, which is not worth waiting for. `lent`: it stays as long as its owner does.
 */
async function removeObject(api: Api, kind: Kind, name: string, lent: boolean): Promise<Removed> {
  const end = await removeOurs(api, kind, name)
  if (end !== 'other') return REMOVED[end]
  const there = await api.get<Owned>(kind, name)
  if (!there) return 'absent'
  const { deletionTimestamp, ownerReferences: owners = [] } = there.metadata
  for (const owner of lent ? owners.filter((one) => !api.hasRemoved(one)) : []) {
    const job = await api.get('jobs', owner.name)
    // The cluster removes it with its owner, which will be removed after this, or by those who still use it.
    if (job?.metadata.uid === owner.uid && !job.metadata.deletionTimestamp) return 'removed'
  }
  if (deletionTimestamp === undefined && (await api.remove(kind, name, uidOf(there))) !== 'going') return 'removed'
  return isUnreachable(there, api.now) ? 'going' : 'pending'
}

/** Saves a call: if this process has made the object and removed its owners, the object need not be read. `other`: it has not. */
async function removeOurs(api: Api, kind: Kind, name: string): Promise<Deleted> {
  const made = api.madeHere<Owned>(kind, name)
  const owners = made?.metadata.ownerReferences ?? []
  if (!made || owners.length === 0 || !owners.every((owner) => api.hasRemoved(owner))) return 'other'
  return api.remove(kind, name, uidOf(made))
}

export const REMOVED = { gone: 'removed', going: 'pending', absent: 'absent' } as const satisfies Readonly<
  Record<Exclude<Deleted, 'other'>, Removed>
>

export const uidOf = ({ metadata: { uid } }: Thing): { readonly uid?: string } => (uid === undefined ? {} : { uid })
