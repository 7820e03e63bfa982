/**
 * Auto Scaling's descriptions of its activities, in the service's own sentences:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-capacity.html,
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html; for spot capacity as in aws/aws-parallelcluster#1944 and
 * buildkite/elastic-ci-stack-for-aws#851, for quotas as in aws/aws-parallelcluster#1115.
 */
import type { Activity, Cause, Reason } from '../vm/simulation/types.ts'
import { REASONS } from './instances.ts'
import type { Fields } from './model.ts'

/** The longest status message that the service's description allows. */
const MAX_MESSAGE = 255

function reasonText({ kind, market, type, zone, said }: Reason): string {
  if (said !== undefined) return said
  if (kind === 'quota')
    return market === 'spot'
      ? 'Max spot instance count exceeded'
      : 'You have requested more vCPU capacity than your current vCPU limit of 0 allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit'
  if (kind === 'price')
    return 'Could not launch Spot Instances. SpotMaxPriceTooLow - Your Spot request price is lower than the minimum required Spot request fulfillment price'
  if (kind === 'capacity')
    return market === 'spot'
      ? 'Could not launch Spot Instances. InsufficientInstanceCapacity - There is no Spot capacity available that matches your request'
      : `We currently do not have sufficient ${type} capacity in the Availability Zone you requested (${zone}). Our system will be working on provisioning additional capacity`
  return kind === 'denied' ? 'You are not authorized to perform this operation' : 'The launch template is not valid'
}

/** The machine ended before it was in service: https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html */
const cutText = (cause: Cause): string =>
  `Instance became unhealthy while waiting for instance to be in InService state. Termination Reason: ${REASONS[cause]}`

export function activityFields(activity: Activity, deleted: boolean): Fields {
  const { id, group, kind, at, because, machine, state, endedAt, reason, cut } = activity
  const start = new Date(at)
  const stamp = start.toISOString().replace(/\.\d+/, '')
  const message = reason && `${reasonText(reason)}. Launching EC2 instance failed.`
  const done = kind === 'launch' ? `Launching a new EC2 instance${machine ? `: ${machine}` : ''}` : `Terminating EC2 instance: ${machine}`
  const difference =
    kind === 'launch'
      ? 'an instance was started in response to a difference between desired and actual capacity'
      : 'instances were selected for termination'
  return {
    ActivityId: id,
    AutoScalingGroupName: group,
    Description: message ? `Launching a new EC2 instance.  Status Reason: ${message}` : done,
    Cause: `At ${stamp} ${because}.  At ${stamp} ${difference}.`,
    StartTime: start,
    EndTime: endedAt === undefined ? undefined : new Date(endedAt),
    StatusCode:
      state === 'done'
        ? 'Successful'
        : cut
          ? 'Cancelled'
          : state === 'failed'
            ? 'Failed'
            : kind === 'launch'
              ? 'PreInService'
              : 'InProgress',
    StatusMessage: (cut ? cutText(cut) : message)?.slice(0, MAX_MESSAGE),
    Progress: state === 'under-way' ? 50 : 100,
    Details: '{}',
    AutoScalingGroupState: deleted ? 'Deleted' : undefined,
  }
}
