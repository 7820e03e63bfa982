/**
 * What IAM requires besides the permission for the call itself: actions that nobody calls, with their resources. Each rule names the page that says
 * so.
 */
import type { Call } from './front.ts'
import type { Asked } from './iam-simulate.ts'
import { type Fields, textOf } from './model.ts'
import { ACCOUNT, resourcesOf } from './resources.ts'

const ROLE = `arn:aws:iam::${ACCOUNT}:role`

/** `linked`: the services whose service-linked roles the account has so far; at first none. */
export function besides(call: Call, linked: Set<string>): readonly Asked[] {
  return RULES[`${call.service}:${call.operation}`]?.(call, linked) ?? []
}

const RULES: Readonly<Record<string, (call: Call, linked: Set<string>) => readonly Asked[]>> = {
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html,
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/autoscaling-service-linked-role.html
  'autoscaling:CreateAutoScalingGroup': (call, linked) => [
    ...tagging(call, 'autoscaling:CreateOrUpdateTags', 'Tags'),
    ...launching(call),
    ...serviceRole('autoscaling', 'AWSServiceRoleForAutoScaling', linked),
    // https://docs.aws.amazon.com/autoscaling/ec2/userguide/autoscaling-service-linked-role.html,
    // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/service-linked-roles-spot-instance-requests.html
    ...(spot(call) ? serviceRole('spot', 'AWSServiceRoleForEC2Spot', linked) : []),
  ],
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html
  'ec2:CreateLaunchTemplate': (call) => tagging(call, 'ec2:CreateTags', 'TagSpecifications'),
  'ec2:CreateSecurityGroup': (call) => tagging(call, 'ec2:CreateTags', 'TagSpecifications'),
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_tags.html
  'iam:CreateRole': (call) => tagging(call, 'iam:TagRole', 'Tags'),
  'iam:CreateInstanceProfile': (call) => tagging(call, 'iam:TagInstanceProfile', 'Tags'),
  // https://docs.aws.amazon.com/IAM/latest/APIReference/API_AddRoleToInstanceProfile.html
  'iam:AddRoleToInstanceProfile': ({ request }) => passing(textOf(request, 'RoleName')),
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
  's3:PUTObject': ({ source }) => (source === undefined ? [] : [['s3:GetObject', `arn:aws:s3:::${source}`]]),
}

function tagging(call: Call, action: string, field: string): readonly Asked[] {
  const tags = call.request[field]
  const [resource = '*'] = resourcesOf(call)
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/supported-iam-actions-tagging.html
  const context = call.service === 'ec2' ? { 'ec2:CreateAction': call.operation } : {}
  return Array.isArray(tags) && tags.length > 0 ? [[action, resource, context]] : []
}

/** As if the caller launched machines from the template: their role has the group's name. */
function launching({ region, request }: Call): readonly Asked[] {
  const machines = `arn:aws:ec2:${region}:${ACCOUNT}:instance/*`
  const tagging: Asked = ['ec2:CreateTags', machines, { 'ec2:CreateAction': 'RunInstances' }]
  return [['ec2:RunInstances', machines], tagging, ...passing(textOf(request, 'AutoScalingGroupName'))]
}

const passing = (role: string): readonly Asked[] => [
  ['iam:PassRole', `${ROLE}/tpi/${role}`, { 'iam:PassedToService': 'ec2.amazonaws.com' }],
]

function serviceRole(service: string, name: string, linked: Set<string>): readonly Asked[] {
  if (linked.has(service)) return []
  const principal = `${service}.amazonaws.com`
  return [['iam:CreateServiceLinkedRole', `${ROLE}/aws-service-role/${principal}/${name}`, { 'iam:AWSServiceName': principal }]]
}

function spot({ request }: Call): boolean {
  const mix = (request['MixedInstancesPolicy'] as Fields | undefined)?.['InstancesDistribution'] as Fields | undefined
  return mix !== undefined && mix['OnDemandPercentageAboveBaseCapacity'] !== 100
}
