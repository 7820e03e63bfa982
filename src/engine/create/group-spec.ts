/** What a cloud gets to know of a group, whatever the mode: who it is, and what its machines should be like. */
import type { DeploymentTags, MachineRequest, MachineSpec } from '../../core/cloud.ts'
import type { Program } from '../../wire/program.ts'
import type { DeploymentFacts, Lease } from '../../wire/spec.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { ComparedFields } from './fingerprint.ts'

export interface GroupRequest extends MachineRequest {
  /** The user's own. */
  readonly tags: Readonly<Record<string, string>>
}

/** What everybody asks for who starts machines, whatever they are to do. */
export interface DeploymentRequest extends GroupRequest {
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
  /** What options of this one cloud decide, by their names, as text: to be compared, the cloud reads them itself. */
  readonly ofCloud?: Readonly<Record<string, readonly string[]>>
}

/** What every mode compares in the same way, where one command meets the deployment of another. */
export const COMPARED_ALIKE = {
  name: null,
  diskBytes: (bytes) => ({ 'disk-size': bytes }),
  image: (image) => ({ image }),
  region: (region) => ({ region }),
  spot: (spot) => ({ spot }),
  permissionSet: (name) => ({ 'permission-set': name }),
  tags: (tags) => ({ tags }),
  ofCloud: (options) => options ?? {},
  setup: (setup) => ({ setup }),
  reserve: null,
  retention: null,
  lease: null,
  // The mode's own.
  usualImage: null,
  unprivileged: null,
} satisfies Partial<ComparedFields<DeploymentRequest>>

/** Before anything is known of store credentials and agent: what `faults` and `plan` look at. */
export function groupSpec(
  { id, name, incarnation, mode, createdAt, origin, count, lifetime }: DeploymentFacts,
  request: GroupRequest,
  store: StoreAccess,
): Omit<MachineSpec, 'store' | 'agent'> {
  const { credentials: _credentials, source: _source, until: _until, ...place } = store
  const tags: DeploymentTags = { id, name, incarnation, mode, createdAt, origin, count, lifetime, store: place, user: request.tags }
  return {
    tags,
    size: request.size,
    ...(request.diskBytes === undefined ? {} : { diskBytes: request.diskBytes }),
    ...(request.image === undefined ? {} : { image: request.image }),
    ...(request.region === undefined ? {} : { region: request.region }),
    spot: request.spot,
    ...(request.permissionSet === undefined ? {} : { permissionSet: request.permissionSet }),
    ...(request.container === undefined ? {} : { container: request.container }),
  }
}
