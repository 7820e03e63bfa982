/** The printed policies contain exactly what the code calls; for rights that the vendor requires in addition, they say where it says so. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { permissionsText, RIGHTS } from '../../../src/clouds/aws/permissions.ts'
import { machinePolicy } from '../../../src/clouds/aws/policy.ts'

const SDK = readFileSync(join(import.meta.dirname, '../../../src/clouds/aws/sdk.ts'), 'utf8')

/** Calls whose permission has a different name: https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html */
const OTHERWISE: Readonly<Record<string, string>> = {
  's3:HeadBucket': 's3:ListBucket',
  's3:PutPublicAccessBlock': 's3:PutBucketPublicAccessBlock',
  's3:GetBucketLifecycleConfiguration': 's3:GetLifecycleConfiguration',
  's3:PutBucketLifecycleConfiguration': 's3:PutLifecycleConfiguration',
}

/** Calls of our own clients, not of the vendor's. */
const STORE = [
  's3:AbortMultipartUpload',
  's3:DeleteObject',
  's3:GetObject',
  's3:ListBucketMultipartUploads',
  's3:ListMultipartUploadParts',
  's3:PutObject',
  'pricing:GetProducts',
]

const PREFIX: Readonly<Record<string, string>> = {
  'auto-scaling': 'autoscaling',
  ec2: 'ec2',
  iam: 'iam',
  s3: 's3',
  'service-quotas': 'servicequotas',
  ssm: 'ssm',
  sts: 'sts',
}

function called(): string[] {
  const blocks = [...SDK.matchAll(/export \{([^}]*)\} from '@aws-sdk\/client-([a-z0-9-]+)'/g)]
  const actions = blocks.flatMap(([, names = '', service = '']) =>
    [...names.matchAll(/\b(\w+)Command\b/g)].map(([, name]) => `${PREFIX[service] ?? service}:${name}`),
  )
  return actions.map((action) => OTHERWISE[action] ?? action)
}

describe('permissions', () => {
  test('every call has its right, and every right its call or a page that requires it', () => {
    const own = RIGHTS.filter(({ page }) => page === undefined).flatMap(({ actions }) => actions)
    const dependent = RIGHTS.filter(({ page }) => page !== undefined).flatMap(({ actions }) => actions)
    const calls = [...called(), ...STORE]
    expect(calls.length).toBeGreaterThan(40)
    expect([...new Set(own)].sort()).toEqual([...new Set(calls.filter((action) => !dependent.includes(action)))].sort())
    for (const { page } of RIGHTS) expect(page ?? 'https://docs.aws.amazon.com/').toMatch(/^https:\/\/docs\.aws\.amazon\.com\//)
  })

  test('to make the bucket can be left out, those to find and use it cannot', () => {
    const spared = RIGHTS.filter(({ without }) => without !== undefined).flatMap(({ actions }) => actions)
    expect(spared.filter((action) => action.startsWith('s3:')).toSorted()).toEqual([
      's3:CreateBucket',
      's3:GetLifecycleConfiguration',
      's3:PutBucketPublicAccessBlock',
      's3:PutLifecycleConfiguration',
    ])
  })

  test('are printed as policies that a console takes, with a reason for each statement', () => {
    const text = permissionsText({ region: 'cn-north-1' })
    const documents = text.split(/^#.*$/m).filter((part) => part.trim() !== '')
    const [caller, machine] = documents.map((part) => JSON.parse(part) as { Statement: { Sid: string; Resource: string[] }[] })
    expect(documents).toHaveLength(2)
    for (const { Sid, Resource } of caller?.Statement ?? []) {
      expect(text).toContain(`# ${Sid}: `)
      expect(Resource.join()).not.toMatch(/PARTITION|arn:aws:/)
    }
    expect(machine?.Statement.map(({ Sid }) => Sid)).toEqual(['Store', 'List', 'Leave', 'End', 'Twin'])
  })

  test.each(['caller', 'machine'])('of only the %s are a document that can go into a file', (policy) => {
    const [caller, machine] = permissionsText({}).matchAll(/^\{\n[^]*?^\}$/gm)
    expect(permissionsText({ policy }).trim()).toBe((policy === 'caller' ? caller : machine)?.[0])
    expect(JSON.parse(permissionsText({ policy }))).toMatchObject({ Version: '2012-10-17' })
  })

  describe('to make roles', () => {
    const ARN = 'arn:aws:iam::123456789012:policy/bound'
    const makers = (text: string) => {
      const [caller = ''] = text.split(/^#.*$/m).filter((part) => part.trim() !== '')
      const { Statement } = JSON.parse(caller) as { Statement: { Action: string[]; Condition?: unknown }[] }
      // All actions that can give a role its rights.
      const powers = /^iam:(?:CreateRole|(?:Put|Attach)RolePolicy|UpdateAssumeRolePolicy|(?:Put|Delete)RolePermissionsBoundary)$/
      return Statement.filter(({ Action }) => Action.some((action) => powers.test(action)))
    }

    test('amount to those of an administrator; the text says so, and what to do', () => {
      const text = permissionsText({})
      expect(makers(text)).toEqual([expect.not.objectContaining({ Condition: expect.anything() })])
      expect(text).toMatch(/can become administrator[^]+--permissions-boundary ARN/)
    })

    test('are limited to roles with the boundary, if one is given', () => {
      const text = permissionsText({ 'permissions-boundary': ARN })
      const Condition = { StringEquals: { 'iam:PermissionsBoundary': [ARN] } }
      expect(makers(text)).toEqual([expect.objectContaining({ Action: ['iam:CreateRole', 'iam:PutRolePolicy'], Condition })])
      expect(text).not.toContain('administrator of the account')
      expect(text).toContain(`Each run needs --permissions-boundary ${ARN}`)
    })
  })

  test('a machine with a role of its own reaches only its own prefix and group', () => {
    const caller = { account: '123456789012', partition: 'aws', arn: '' }
    const of = { id: 'tpi-x-0123456789', incarnation: 'abcdef0123' }
    const text = JSON.stringify(machinePolicy(caller, 'us-east-1', { bucket: { name: 'b', prefix: 'p/' }, of }))
    expect(text).toContain('arn:aws:s3:::b/p/tpi-x-0123456789/*')
    expect(text.match(/autoscaling:[A-Z]\w+/g)).toEqual(['autoscaling:TerminateInstanceInAutoScalingGroup'])
    expect(text).toContain('autoScalingGroupName/tpi-x-0123456789-abcdef0123*')
    expect(text).not.toMatch(/tpi-\*|:\*:autoScalingGroup:\*:autoScalingGroupName\/tpi-x-0123456789\*/)
    const twin = machinePolicy(caller, 'us-east-1', { bucket: { name: 'b', prefix: 'p/' }, of, twin: true }).Statement.slice(3)
    const group = 'arn:aws:autoscaling:us-east-1:123456789012:autoScalingGroup:*:autoScalingGroupName/tpi-x-0123456789-abcdef0123'
    expect(twin).toEqual([
      expect.objectContaining({
        Action: ['autoscaling:UpdateAutoScalingGroup'],
        Resource: [`${group}*`],
        Condition: { NumericEquals: { 'autoscaling:MaxSize': ['0'] } },
      }),
      expect.objectContaining({
        Action: ['autoscaling:PutScheduledUpdateGroupAction', 'autoscaling:SetDesiredCapacity'],
        Resource: [`${group}-on-demand`],
      }),
    ])
  })
})
