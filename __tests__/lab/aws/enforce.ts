/**
 * Enforces the rights that `tpi permissions aws` prints: callers may do what it says and nothing else, and a machine what its role allows. Checks
 * actions and resources, and what IAM requires besides; of the conditions, it checks only that of a prefix.
 */
import { permissionsText } from '../../../src/clouds/aws/permissions.ts'
import type { Policy } from '../../../src/clouds/aws/policy.ts'
import { like } from '../vm/like.ts'
import { besides } from './besides.ts'
import { type Call, denied, type Judge } from './front.ts'
import type { Asked } from './iam-simulate.ts'
import { type Fields, textOf } from './model.ts'
import { resourcesOf } from './resources.ts'

interface Enforced {
  readonly judge: Judge
  /** Which actions were called, and by whom: caller or machine. */
  readonly used: Set<string>
  /** The callers' actions with their resources, for another judge. */
  readonly asked: Map<string, Asked>
}

/**
 * A machine's keys are temporary, and start with this prefix:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
 */
const LENT = /^ASIA/

/** The printed policies: the caller's, and that of the role that machines may share. */
export function printed(): readonly Policy[] {
  return [...permissionsText({}).matchAll(/^\{\n[\s\S]*?^\}$/gm)].map(([text]) => JSON.parse(text) as Policy)
}

/** Conditions are ignored. */
export const covers = ({ Statement }: Policy, action: string, resource: string): boolean =>
  Statement.some(({ Action, Resource }) => Action.includes(action) && Resource.some((one) => like(one, resource)))

/** `caller`: by default the printed policy; a test may pass one with fewer rights. */
export function enforced(caller: Policy | undefined = printed()[0]): Enforced {
  const roles: Policy[] = []
  const used = new Set<string>()
  const asked = new Map<string, Asked>()
  const linked = new Set<string>()
  const tags = new Map<string, string>()
  const judge: Judge = (call) => {
    const action = actionOf(call)
    const machine = LENT.test(call.accessKeyId)
    if (action === 'iam:PutRolePolicy') roles.push(JSON.parse(textOf(call.request, 'PolicyDocument')) as Policy)
    const policies = machine ? roles : caller ? [caller] : []
    used.add(`${machine ? 'machine' : 'caller'} ${action}`)
    const own = resourcesOf(call).map((resource) => [action, resource, contextOf(call, tags)] as const)
    for (const [needed, resource, context] of [...own, ...besides(call, linked)]) {
      const one: Asked = [needed, resource ?? '*', context ?? {}]
      if (!machine) asked.set(JSON.stringify(one), one)
      if (policies.some((policy) => allows(policy, needed, resource, call))) continue
      const [service = '', operation = ''] = needed.split(':')
      throw denied(service, operation, machine ? 'machine' : 'caller', resource)
    }
    if (action === 'autoscaling:CreateAutoScalingGroup') for (const service of ['autoscaling', 'spot']) linked.add(service)
  }
  return { judge, used, asked }
}

function allows({ Statement }: Policy, action: string, resource: string | undefined, call: Call): boolean {
  return Statement.some(({ Action, Resource, Condition }) => {
    const prefixes = Condition?.['StringLike']?.['s3:prefix']
    const prefix = prefixOf(call)
    return (
      Action.includes(action) &&
      (resource === undefined || Resource.some((one) => like(one, resource))) &&
      (prefixes === undefined || prefixes.some((one) => like(one, prefix)))
    )
  })
}

const prefixOf = ({ path }: Call): string => new URL(path, 'http://s3').searchParams.get('prefix') ?? ''

/** Values for the condition keys that the policies use. `tags`: the id with which things of a kind were made. */
function contextOf(call: Call, tags: Map<string, string>): Readonly<Record<string, string>> {
  const [, verb, kind = ''] = /^(Create|Delete)(LaunchTemplate|SecurityGroup)$/.exec(call.operation) ?? []
  if (verb === 'Create') tags.set(kind, idIn(call))
  // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html
  if (verb === 'Delete') return { 'aws:ResourceTag/tpi:id': tags.get(kind) ?? '' }
  if (call.service === 's3') return call.path.includes('prefix=') ? { 's3:prefix': prefixOf(call) } : {}
  const size = call.operation === 'UpdateAutoScalingGroup' ? call.request['MaxSize'] : undefined
  return typeof size === 'number' ? { 'autoscaling:MaxSize': `${size}` } : {}
}

function idIn({ request }: Call): string {
  const [{ Tags = [] } = {}] = (request['TagSpecifications'] ?? []) as readonly { readonly Tags?: readonly Fields[] }[]
  return textOf(Tags.find(({ Key }) => Key === 'tpi:id') ?? {}, 'Value')
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
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html#mpuAndPermissions
    if (query.has('uploads')) return 's3:ListBucketMultipartUploads'
    return method === 'PUT' ? 's3:CreateBucket' : 's3:ListBucket'
  }
  if (method === 'DELETE') return query.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject'
  if (method === 'GET' && query.has('uploadId')) return 's3:ListMultipartUploadParts'
  return method === 'PUT' || method === 'POST' ? 's3:PutObject' : 's3:GetObject'
}
