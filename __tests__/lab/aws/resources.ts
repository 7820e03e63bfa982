/**
 * The resources of a call, as IAM names them:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
import type { Call } from './front.ts'
import { textOf } from './model.ts'

/** Of everything in the lab. */
export const ACCOUNT = '123456789012'

/** `undefined`: the call does not tell, because it names only a machine. */
export function resourcesOf(call: Call): readonly (string | undefined)[] {
  if (call.service === 'autoscaling' && call.operation === 'TerminateInstanceInAutoScalingGroup') return [undefined]
  if (call.service !== 's3') return [RESOURCES[call.service]?.(call) ?? '*']
  const own = `arn:aws:s3:::${decodeURIComponent(new URL(call.path, 'http://s3').pathname.slice(1).replace(/\/$/, ''))}`
  return call.keys?.map((key) => `${own}/${key}`) ?? [own]
}

/** For services whose calls have specific resources. */
const RESOURCES: Readonly<Record<string, (call: Call) => string | undefined>> = {
  autoscaling: ({ region, operation, request }) => {
    const name = textOf(request, 'AutoScalingGroupName')
    if (name === '' || operation.startsWith('Describe')) return undefined
    return `arn:aws:autoscaling:${region}:${ACCOUNT}:autoScalingGroup:x:autoScalingGroupName/${name}`
  },
  ec2: ({ region, operation, request }) => {
    const kind = /^(?!Describe).*?(LaunchTemplate|SecurityGroup|Instances|ConsoleOutput)/.exec(operation)?.[1]
    const own = kind === undefined ? undefined : EC2[kind]
    if (!own) return undefined
    return `arn:aws:ec2:${region}:${ACCOUNT}:${own[0]}/${textOf(request, own[1], '*')}`
  },
  // Only requests that make one name its path; everything that tpi makes has this one.
  iam: ({ operation, request }) => {
    // moto calls an unknown caller `arn:aws:sts::123456789012:user/moto`, but users belong to IAM.
    const asked = textOf(request, 'PolicySourceArn').replace(':sts:', ':iam:')
    if (asked !== '') return asked
    const kind = operation.includes('InstanceProfile') ? 'instance-profile' : 'role'
    const name = textOf(request, kind === 'role' ? 'RoleName' : 'InstanceProfileName')
    return `arn:aws:iam::${ACCOUNT}:${kind}${textOf(request, 'Path', '/tpi/')}${name}`
  },
  ssm: ({ region, request }) => `arn:aws:ssm:${region}::parameter${textOf(request, 'Name')}`,
  servicequotas: ({ region, request }) => `arn:aws:servicequotas:${region}:${ACCOUNT}:ec2/${textOf(request, 'QuotaCode')}`,
}

/** By a part of the operation's name: the kind of resource, and the field with its id. */
const EC2: Readonly<Record<string, readonly [kind: string, field: string]>> = {
  LaunchTemplate: ['launch-template', 'LaunchTemplateId'],
  SecurityGroup: ['security-group', 'GroupId'],
  Instances: ['instance', 'InstanceId'],
  ConsoleOutput: ['instance', 'InstanceId'],
}
