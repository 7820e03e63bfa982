/** A deployment in the record of its group, which holds all of its tags unchanged. */
import type { DeploymentTags } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { limitFaults } from '../../core/tag-limits.ts'

export const tagFaults = ({ user }: Pick<DeploymentTags, 'user'>): Fault[] => limitFaults(user, { title: 'this host' })
