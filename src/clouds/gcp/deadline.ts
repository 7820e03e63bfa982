/**
 * The dead-man's switch of a group is in its template: no machine made from it lives past the hard deadline.
 * https://cloud.google.com/compute/docs/instances/limit-vm-runtime
 */
import type { DeploymentTags } from '../../core/cloud.ts'
import { hardDeadline } from '../../wire/lifetime.ts'
import type { InstanceProperties } from './sdk.ts'

export function untilDeadline({ lifetime }: Pick<DeploymentTags, 'lifetime'>): NonNullable<InstanceProperties['scheduling']> {
  return { terminationTime: new Date(hardDeadline(lifetime)).toISOString(), instanceTerminationAction: 'DELETE' }
}
