/** The storm of all clouds, in an account whose storage fails too, where new resources are not known yet, and those in use cannot be removed. */
import { stormOf } from '../../conformance/vm-storm.ts'
import { LABS } from '../vm/labs.ts'
import type { AwsLab } from './lab.ts'

// As on the pages of DeleteAutoScalingGroup and DeleteRole, under Errors.
const IN_USE = [
  [
    /DeleteAutoScalingGroup/,
    'ScalingActivityInProgress',
    'You cannot delete an AutoScalingGroup while a scaling activity is in progress.',
    400,
  ],
  [/DeleteRole$/, 'DeleteConflict', 'Cannot delete entity, must remove roles from instance profile first.', 409],
] as const

const besides: Parameters<typeof stormOf<AwsLab>>[1] = ({ front }, random) => {
  const [calls, code, message, status] = random.pick(IN_USE)
  front.refuse(calls, code, message, 1, status)
  front.troubles.on(/^s3:(?:GET|PUT|DELETE)Object$/, { kind: random.pick(['throttle', 'broken', 'lost-reply', 'lost-request']) }, 2)
  // In proportion, as the commands' waits are: 1.5 and 3 seconds of a real account.
  Object.assign(front, { roleLag: random.pick([0, 150]), profileLag: random.pick([0, 300]) })
}

stormOf(LABS.aws, besides, ({ front }) => front.ripen())
