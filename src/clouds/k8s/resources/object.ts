/** Things that are either there or not: secrets, configuration, claims, services. */
import { RemoteError } from '../../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../../core/resource.ts'
import type { Api, Kind } from '../api.ts'
import { labelsOf, type Role } from '../names.ts'
import type { Meta, Thing } from '../objects.ts'

/** Who an object goes with. */
export interface Owner {
  readonly uid: string
  readonly name: string
}

export function ownedBy({ uid, name }: Owner): object[] {
  return [{ apiVersion: 'batch/v1', kind: 'Job', uid, name, controller: false }]
}

export interface ObjectWish {
  readonly id: string
  readonly role: Role
  /** Nothing is made after it; removing goes on. */
  readonly signal: AbortSignal
  /** The root; asked for when it is needed. */
  readonly owner: () => Promise<Owner>
  /** Without labels and owner. */
  readonly make: () => Promise<{ readonly metadata: { readonly name: string } }>
}

interface Owned extends Thing {
  readonly metadata: Meta & { readonly ownerReferences?: readonly { readonly uid: string; readonly name: string }[] }
}

export function objectResource(api: Api, kind: Kind, noun: string, name: string, wish?: ObjectWish): Resource {
  return {
    kind: noun,
    name,
    ensure: async () => (wish ? ensureObject(api, kind, noun, name, wish) : 'found'),
    remove: async () => removeObject(api, kind, name),
  }
}

async function ensureObject(api: Api, kind: Kind, noun: string, name: string, wish: ObjectWish): Promise<Ensured> {
  wish.signal.throwIfAborted()
  const owner = await wish.owner()
  const object = await wish.make()
  const metadata = { ...object.metadata, labels: labelsOf(wish.id, wish.role), ownerReferences: ownedBy(owner) }
  if (await api.create(kind, { ...object, metadata })) return 'created'
  const there = await api.get<Owned>(kind, name)
  // One of a root that is going will go with it.
  if (!there || there.metadata.deletionTimestamp || !there.metadata.ownerReferences?.some(({ uid }) => uid === owner.uid)) {
    throw new RemoteError(`k8s: ${noun} ${name} of a former deployment is still being removed`, { retryable: true })
  }
  return 'found'
}

/** The cluster takes it with its owner, so that nobody needs the right to delete it: there is nothing to do but to wait until it has. */
async function removeObject(api: Api, kind: Kind, name: string): Promise<Removed> {
  const there = await api.get<Owned>(kind, name)
  if (!there) return 'absent'
  const owners = there.metadata.ownerReferences ?? []
  for (const { name: owner, uid } of owners) {
    const job = await api.get('jobs', owner)
    // Removed after this, or by whoever uses it on.
    if (job?.metadata.uid === uid && !job.metadata.deletionTimestamp) return 'removed'
  }
  return 'pending'
}
