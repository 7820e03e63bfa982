/**
 * The rights that we print, enforced: whoever calls may do what `tpi permissions aws` says and nothing else, and a machine what its role was given. By
 * action, and by resource where a call names a group or an object. What IAM asks for besides (PassRole, tags) is not looked at here.
 */
import { permissionsText } from '../../../src/clouds/aws/permissions.ts'
import type { Policy } from '../../../src/clouds/aws/policy.ts'
import { type Call, denied, type Judge } from './front.ts'
import { textOf } from './model.ts'

interface Enforced {
  readonly judge: Judge
  /** What was asked for, and by whom. */
  readonly used: Set<string>
}

/** A machine's keys are lent, and begin so: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids */
const LENT = /^ASIA/

/** As they are printed: of callers, and of the role that machines may share. */
export function printed(): readonly Policy[] {
  return [...permissionsText({}).matchAll(/^\{\n[\s\S]*?^\}$/gm)].map(([text]) => JSON.parse(text) as Policy)
}

/** Whatever its conditions. */
export const covers = ({ Statement }: Policy, action: string, resource: string): boolean =>
  Statement.some(({ Action, Resource }) => Action.includes(action) && Resource.some((one) => like(one, resource)))

export function enforced(): Enforced {
  const [caller] = printed()
  const roles: Policy[] = []
  const used = new Set<string>()
  const judge: Judge = (call) => {
    const [action, resources] = [actionOf(call), resourcesOf(call)]
    const machine = LENT.test(call.accessKeyId)
    if (action === 'iam:PutRolePolicy') roles.push(JSON.parse(textOf(call.request, 'PolicyDocument')) as Policy)
    const policies = machine ? roles : caller ? [caller] : []
    used.add(`${machine ? 'machine' : 'caller'} ${action}`)
    for (const resource of resources) {
      if (policies.some((policy) => allows(policy, action, resource, call))) continue
      const [service = '', operation = ''] = action.split(':')
      throw denied(service, operation, machine ? 'machine' : 'caller', resource)
    }
  }
  return { judge, used }
}

function allows({ Statement }: Policy, action: string, resource: string | undefined, call: Call): boolean {
  return Statement.some(({ Action, Resource, Condition }) => {
    const prefixes = Condition?.['StringLike']?.['s3:prefix']
    const prefix = new URL(call.path, 'http://s3').searchParams.get('prefix') ?? ''
    return (
      Action.includes(action) &&
      (resource === undefined || Resource.some((one) => like(one, resource))) &&
      (prefixes === undefined || prefixes.some((one) => like(one, prefix)))
    )
  })
}

const like = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  ).test(text)

function resourcesOf(call: Call): readonly (string | undefined)[] {
  const own = resourceOf(call)
  return call.keys?.map((key) => `${own}/${key}`) ?? [own]
}

function resourceOf({ service, path, request }: Call): string | undefined {
  if (service === 's3') return `arn:aws:s3:::${decodeURIComponent(new URL(path, 'http://s3').pathname.slice(1).replace(/\/$/, ''))}`
  const group = service === 'autoscaling' ? textOf(request, 'AutoScalingGroupName') : ''
  return group === '' ? undefined : `arn:aws:autoscaling:us-east-1:123456789012:autoScalingGroup:x:autoScalingGroupName/${group}`
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html */
function actionOf({ service, operation, method, path }: Call): string {
  if (service !== 's3') return `${service}:${operation}`
  const { pathname, searchParams: query } = new URL(path, 'http://s3')
  if (!pathname.slice(1).replace(/\/$/, '').includes('/')) {
    const about = ['lifecycle', 'publicAccessBlock', 'encryption'].find((name) => query.has(name))
    if (about === 'lifecycle') return method === 'PUT' ? 's3:PutLifecycleConfiguration' : 's3:GetLifecycleConfiguration'
    if (about !== undefined) return about === 'encryption' ? 's3:PutEncryptionConfiguration' : 's3:PutBucketPublicAccessBlock'
    if (query.has('delete')) return 's3:DeleteObject'
    return method === 'PUT' ? 's3:CreateBucket' : 's3:ListBucket'
  }
  if (method === 'DELETE') return query.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject'
  if (method === 'GET' && query.has('uploadId')) return 's3:ListMultipartUploadParts'
  return method === 'PUT' || method === 'POST' ? 's3:PutObject' : 's3:GetObject'
}
