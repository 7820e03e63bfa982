/** What a cloud is told of a group, whatever the mode: who it is, and what its machines should be like. */
import type { DeploymentTags, MachineSpec, MachineWish } from '../../core/cloud.ts'
import type { Program } from '../../wire/program.ts'
import type { CommonSpec, Lease } from '../../wire/spec.ts'
import type { StoreAccess } from '../../wire/store.ts'

/** What is known of a deployment from the start. */
export type GroupFacts = Pick<CommonSpec, 'id' | 'name' | 'incarnation' | 'mode' | 'createdAt' | 'origin' | 'count' | 'lifetime'>

export interface GroupWish extends MachineWish {
  /** The user's own. */
  readonly tags: Readonly<Record<string, string>>
}

/** What everybody wishes who starts machines, whatever they are to do. */
export interface DeploymentWish extends GroupWish {
  readonly name: string
  readonly count: number
  readonly setup?: Program
  /** Plain environment. */
  readonly env: Readonly<Record<string, string>>
  /** Seconds. */
  readonly timeout: number
  readonly grace: number
  readonly reserve: number
  readonly retention: number
  readonly lease: Lease
}

/** Before anything is known of store credentials and agent: what `faults` and `plan` look at. */
export function groupSpec(
  { id, name, incarnation, mode, createdAt, origin, count, lifetime }: GroupFacts,
  wish: GroupWish,
  store: StoreAccess,
): Omit<MachineSpec, 'store' | 'agent'> {
  const { credentials: _credentials, source: _source, until: _until, ...place } = store
  const tags: DeploymentTags = { id, name, incarnation, mode, createdAt, origin, count, lifetime, store: place, user: wish.tags }
  return {
    tags,
    size: wish.size,
    ...(wish.diskBytes === undefined ? {} : { diskBytes: wish.diskBytes }),
    ...(wish.image === undefined ? {} : { image: wish.image }),
    ...(wish.region === undefined ? {} : { region: wish.region }),
    spot: wish.spot,
    ...(wish.permissionSet === undefined ? {} : { permissionSet: wish.permissionSet }),
  }
}
