/** What a cloud is told about a group, whatever the mode: its identity, and what its machines should be like. */
import type { DeploymentTags, MachineRequest, MachineSpec } from '../../core/cloud.ts'
import { fieldsIn, sorted } from '../../lib/record.ts'
import type { Program } from '../../wire/program.ts'
import type { DeploymentFacts, Lease } from '../../wire/spec.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { ComparedFields } from './fingerprint.ts'

export interface GroupRequest extends MachineRequest {
  /** The user's own. */
  readonly tags: Readonly<Record<string, string>>
}

/** What a request of either mode contains. */
export interface DeploymentRequest extends GroupRequest {
  readonly name: string
  readonly count: number
  readonly setup?: Program
  /** Plain environment. */
  readonly env: Readonly<Record<string, string>>
  /** Seconds, like the next three (`Lifetime`). */
  readonly timeout: number
  readonly grace: number
  readonly reserve: number
  readonly retention: number
  readonly lease: Lease
  /**
   * The values of this cloud's own options for machines, by name, without defaults: to compare requests, and to open the cloud with them when
   * runners are started again. The cloud reads the options itself.
   */
  readonly ofCloud?: Readonly<Record<string, unknown>>
}

/** What both modes compare in the same way when one command finds the deployment of another. */
export const COMPARED_ALIKE = {
  name: null,
  diskBytes: (bytes) => ({ 'disk-size': bytes }),
  image: (image) => ({ image }),
  region: (region) => ({ region }),
  spot: (spot) => ({ spot }),
  permissionSet: (name) => ({ 'permission-set': name }),
  tags: (tags) => ({ tags }),
  ofCloud: (options) => fieldsIn(sorted(options)),
  setup: (setup) => ({ setup }),
  reserve: null,
  retention: null,
  lease: null,
  // Each mode compares these itself.
  usualImage: null,
  unprivileged: null,
} satisfies Partial<ComparedFields<DeploymentRequest>>

/** What a cloud is told of a group before the store's credentials and the agent are known: for `Cloud.faults`, and as a part of the whole. */
export function groupSpec(
  { id, name, incarnation, mode, createdAt, origin, count, lifetime }: DeploymentFacts,
  request: GroupRequest,
  store: StoreAccess,
): Omit<MachineSpec, 'store' | 'agent'> {
  const { credentials: _credentials, source: _source, until: _until, temporary: _temporary, ...place } = store
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
