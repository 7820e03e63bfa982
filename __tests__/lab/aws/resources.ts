/** What a call is about, as IAM names it: https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html */
import type { Call } from './front.ts'
import { textOf } from './model.ts'

const ACCOUNT = '123456789012'

/** `undefined`: the call does not tell, for it names a machine alone. */
export function resourcesOf(call: Call): readonly (string | undefined)[] {
  if (call.service === 'autoscaling' && call.operation === 'TerminateInstanceInAutoScalingGroup') return [undefined]
  if (call.service !== 's3') return [RESOURCES[call.service]?.(call) ?? '*']
  const own = `arn:aws:s3:::${decodeURIComponent(new URL(call.path, 'http://s3').pathname.slice(1).replace(/\/$/, ''))}`
  return call.keys?.map((key) => `${own}/${key}`) ?? [own]
}

/** Of services whose calls are not all about everything. */
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
  // The path of existing ones is not in the answer: all that tpi makes have one.
  iam: ({ operation, request }) => {
    // moto calls somebody whom it does not know `arn:aws:sts::123456789012:user/moto`; users are IAM's.
    const asked = textOf(request, 'PolicySourceArn').replace(':sts:', ':iam:')
    if (asked !== '') return asked
    const kind = operation.includes('InstanceProfile') ? 'instance-profile' : 'role'
    const name = textOf(request, kind === 'role' ? 'RoleName' : 'InstanceProfileName')
    return `arn:aws:iam::${ACCOUNT}:${kind}${textOf(request, 'Path', '/tpi/')}${name}`
  },
  ssm: ({ region, request }) => `arn:aws:ssm:${region}::parameter${textOf(request, 'Name')}`,
  servicequotas: ({ region, request }) => `arn:aws:servicequotas:${region}:${ACCOUNT}:ec2/${textOf(request, 'QuotaCode')}`,
}

/** What stands in the names of operations: the kind of resource, and the field that has its id. */
const EC2: Readonly<Record<string, readonly [kind: string, field: string]>> = {
  LaunchTemplate: ['launch-template', 'LaunchTemplateId'],
  SecurityGroup: ['security-group', 'GroupId'],
  Instances: ['instance', 'InstanceId'],
  ConsoleOutput: ['instance', 'InstanceId'],
}
