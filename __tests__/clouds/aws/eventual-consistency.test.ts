/**
 * What was just made is not known everywhere at AWS yet, so calls that do not find it are repeated.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
 * https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
 */
import { describe, expect, test } from '@jest/globals'
import { scalingGroup } from '../../../src/clouds/aws/group.ts'
import { type IdentityParams, identityOf, removeRole } from '../../../src/clouds/aws/identity.ts'
import { launchTemplate } from '../../../src/clouds/aws/launch-template.ts'
import { securityGroup } from '../../../src/clouds/aws/security-group.ts'
import { bucketResource } from '../../../src/clouds/aws/store.ts'
import { EXPIRY } from '../../../src/core/bucket-expiry.ts'
import { account, refuse } from './account.ts'

const signal = new AbortController().signal
const params: IdentityParams = {
  of: { id: 'tpi-x-0123456789', incarnation: 'abcdef0123' },
  tags: {},
  bucket: { name: 'b', prefix: '' },
  data: [],
  signal,
}
const again = expect.objectContaining({ outcome: 'remote-error', retryable: true })
const done = (): object => ({})

describe('a role', () => {
  test.each(['AddRoleToInstanceProfile', 'PutRolePolicy'])('that %s does not know yet is a reason to try again', async (operation) => {
    const fine = { AddRoleToInstanceProfile: done, PutRolePolicy: done }
    const young = refuse('NoSuchEntityException', 'The role with name tpi-x cannot be found.', 404)
    const [policy] = identityOf(account({ ...fine, [operation]: young }).api, params).second
    await expect(policy?.ensure()).rejects.toEqual(again)
    const [known] = identityOf(account(fine).api, params).second
    expect(await known?.ensure()).toBe('created')
  })

  test('that cannot be read at all is no reason to try again', async () => {
    const answers = { AddRoleToInstanceProfile: done, PutRolePolicy: refuse('MalformedPolicyDocumentException') }
    const [policy] = identityOf(account(answers).api, params).second
    await expect(policy?.ensure()).rejects.toEqual(expect.objectContaining({ outcome: 'invalid' }))
  })

  test.each(['DeleteRole', 'DeleteInstanceProfile'])('counts as being removed while %s answers that it is in use', async (operation) => {
    const fine = { RemoveRoleFromInstanceProfile: done, DeleteRolePolicy: done, DeleteRole: done, DeleteInstanceProfile: done }
    const busy = refuse('DeleteConflictException', 'Cannot delete entity, must remove roles from instance profile first.', 409)
    expect(await removeRole(account({ ...fine, [operation]: busy }).api, 'tpi-x')).toBe('pending')
    expect(await removeRole(account(fine).api, 'tpi-x')).toBe('removed')
  })

  test('goes even if the account attaches policies to every role of machines; whoever may not detach them is told', async () => {
    const attached = new Set(['arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore'])
    const answers = {
      RemoveRoleFromInstanceProfile: done,
      DeleteRolePolicy: done,
      DeleteInstanceProfile: done,
      // As on the page of DeleteRole.
      DeleteRole: () =>
        attached.size === 0 ? {} : refuse('DeleteConflict', 'Cannot delete entity, must detach all policies first.', 409)(),
      ListAttachedRolePolicies: () => ({ AttachedPolicies: [...attached].map((PolicyArn) => ({ PolicyArn })) }),
      DetachRolePolicy: ({ PolicyArn }: { readonly PolicyArn?: unknown }) => ({ is: attached.delete(String(PolicyArn)) }),
    }
    const barred = { ...answers, DetachRolePolicy: refuse('AccessDenied', 'not authorized to perform: iam:DetachRolePolicy', 403) }
    await expect(removeRole(account(barred).api, 'tpi-x')).rejects.toThrow(/detach the policies .* to role tpi-x: .*iam:DetachRolePolicy/)
    const { api } = account(answers)
    expect(await removeRole(api, 'tpi-x')).toBe('pending')
    expect(await removeRole(api, 'tpi-x')).toBe('removed')
  })

  test('has each tag once, without regard to case; tpi’s own win', async () => {
    const tags: unknown[] = []
    const answers = { CreateRole: ({ Tags }: { readonly Tags?: unknown }) => ({ is: tags.push(Tags) }), CreateInstanceProfile: done }
    const named = { name: 'theirs', Team: 'a', team: 'b', Name: 'ours', 'tpi:id': 'x' }
    const [role] = identityOf(account(answers).api, { ...params, tags: named }).first
    expect(await role?.ensure()).toBe('created')
    expect(tags).toEqual([
      [
        { Key: 'Name', Value: 'ours' },
        { Key: 'team', Value: 'b' },
        { Key: 'tpi:id', Value: 'x' },
      ],
    ])
  })
})

test('a security group and a launch template are made with their tags, in one call each', async () => {
  const seen: unknown[] = []
  const note = ({ TagSpecifications }: { readonly TagSpecifications?: unknown }): object => ({
    GroupId: 'sg-1',
    is: seen.push(TagSpecifications),
  })
  const { api } = account({ CreateSecurityGroup: note, CreateLaunchTemplate: note })
  const tags = { 'tpi:incarnation': 'abcdef0123' }
  const made = [
    securityGroup(api, { name: 'x', vpc: 'vpc-1', tags, together: false, signal }).first,
    launchTemplate(api, { name: 'x', data: async () => ({}), tags, signal }),
  ]
  for (const one of made) expect(await one.ensure()).toBe('created')
  const Tags = [{ Key: 'tpi:incarnation', Value: 'abcdef0123' }]
  expect(seen).toEqual(['security-group', 'launch-template'].map((ResourceType) => [{ ResourceType, Tags }]))
})

describe('a security group', () => {
  test('that its first rule does not find yet is a reason to try again', async () => {
    const young = refuse('InvalidGroup.NotFound', "The security group 'sg-0123456789abcdef0' does not exist")
    const { api } = account({ AuthorizeSecurityGroupIngress: young })
    const [rule] = securityGroup(api, { name: 'x', vpc: 'vpc-1', tags: {}, together: true, signal }).second
    await expect(rule?.ensure()).rejects.toEqual(again)
  })

  test('that exists, but is not listed yet, is a reason to try again', async () => {
    const answers = { CreateSecurityGroup: refuse('InvalidGroup.Duplicate'), DescribeSecurityGroups: () => ({ SecurityGroups: [] }) }
    const { first } = securityGroup(account(answers).api, { name: 'x', vpc: 'vpc-1', tags: {}, together: false, signal })
    await expect(first.ensure()).rejects.toEqual(again)
  })

  test.each([
    ['ValidationError', "You must use a valid fully-formed launch template. The security group 'sg-0123456789abcdef0' does not exist"],
    [
      'ValidationError',
      'You must use a valid fully-formed launch template. Value (tpi-x) for parameter iamInstanceProfile.name is invalid.',
    ],
    ['InvalidGroup.NotFound', 'The security group is not there'],
  ])('and a role too, when the group is validated: %s %s', async (code, message) => {
    const { group } = scalingGroup(account({ CreateAutoScalingGroup: refuse(code, message) }).api, {
      name: 'x',
      input: { AutoScalingGroupName: 'x', MinSize: 0, MaxSize: 1 },
      end: Date.now() + 60_000,
      signal,
    })
    await expect(group.ensure()).rejects.toEqual(again)
  })
})

describe('a bucket that is there', () => {
  const puts = ['PutPublicAccessBlock', 'PutBucketLifecycleConfiguration']
  const ensure = async (rules: () => unknown, written: unknown[] = []) => {
    const { api, asked } = account({
      HeadBucket: done,
      GetBucketLifecycleConfiguration: rules,
      ...Object.fromEntries(puts.map((name) => [name, (input: unknown) => (written.push(input), {})])),
    })
    return { made: await bucketResource(api, 'b', signal).ensure(), put: asked.filter((name) => puts.includes(name)) }
  }

  test('is closed to the public and expires old objects; a bucket of another account is not changed', async () => {
    const written: unknown[] = []
    await ensure(refuse('NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist', 404), written)
    const all = { BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true }
    const gone = { Expiration: { Days: EXPIRY }, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }
    const where = { Bucket: 'b', ExpectedBucketOwner: '123456789012' }
    expect(written).toEqual([
      { ...where, PublicAccessBlockConfiguration: all },
      { ...where, LifecycleConfiguration: { Rules: [{ ID: 'tpi', Status: 'Enabled', Filter: { Prefix: 'tpi-' }, ...gone }] } },
    ])
  })

  test('without expiry was left by a killed maker: it is completed', async () => {
    const bare = refuse('NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist', 404)
    expect(await ensure(bare)).toEqual({ made: 'found', put: puts })
  })

  test('keeps rules of its user, and rules that we may not see', async () => {
    expect(await ensure(() => ({ Rules: [{ ID: 'theirs', Status: 'Enabled' }] }))).toEqual({ made: 'found', put: [] })
    expect(await ensure(refuse('AccessDenied', 'Access Denied', 403))).toEqual({ made: 'found', put: [] })
  })
})

describe('the answer that nothing is there', () => {
  const absent = refuse('NoSuchEntityException', 'The role with name tpi-x cannot be found.', 404)
  const parts = { RemoveRoleFromInstanceProfile: absent, DeleteRolePolicy: absent, DeleteInstanceProfile: done }
  const role = (answers: Parameters<typeof account>[0]) => identityOf(account(answers).api, params).first[0]

  test('is not believed for a role that was just made, until it is removed or old', async () => {
    const answers = { CreateRole: done, CreateInstanceProfile: done, ...parts, DeleteRole: absent as () => unknown }
    const made = role(answers)
    await made?.ensure()
    expect([await made?.remove(), await made?.remove()]).toEqual(['pending', 'pending'])
    answers.DeleteRole = done
    expect(await made?.remove()).toBe('removed')
    Object.assign(answers, { DeleteRole: absent, DeleteInstanceProfile: absent })
    expect(await made?.remove()).toBe('absent')
  })

  test('is believed for a role whose creation was refused', async () => {
    const denied = refuse('AccessDeniedException', 'no', 403)
    const all = { ...parts, DeleteRole: absent, DeleteInstanceProfile: absent, GetInstanceProfile: absent }
    const refused = role({ CreateRole: denied, CreateInstanceProfile: denied, ...all })
    await expect(refused?.ensure()).rejects.toEqual(expect.objectContaining({ outcome: 'denied' }))
    expect(await refused?.remove()).toBe('absent')
  })

  test.each([
    ['none of its own if the account has a role for all', done, [done], 'found'],
    ['one that is removed with the run if it cannot be removed at once', done, [absent, done], 'created'],
    ['nothing if there is no role at all', absent, [absent, done], 'denied'],
  ] as const)('of a caller who may make profiles, but no roles, a run has %s', async (_, shared, removals, outcome) => {
    const left = new Set<string>()
    const turns = [...removals]
    const answers = {
      CreateRole: refuse('AccessDenied', 'not authorized to perform: iam:CreateRole', 403),
      CreateInstanceProfile: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return left.add('profile')
      },
      GetInstanceProfile: shared,
      ...parts,
      DeleteRole: absent,
      DeleteInstanceProfile: () => {
        turns.shift()?.()
        return left.delete('profile')
      },
    }
    const made = role(answers)
    expect(await made?.ensure().catch((error: { readonly outcome: string }) => error.outcome)).toBe(outcome)
    // As the engine does with what it has tried to make.
    if (outcome !== 'found') expect(await made?.remove()).toBe('removed')
    await new Promise((resolve) => setImmediate(resolve))
    expect(left).toEqual(new Set())
  })

  test.each([
    ['that is not there, is that answer', [], 'absent'],
    ['that is there, is a refusal', [{ GroupId: 'sg-1' }], 'denied'],
  ])('to a caller who may only remove what has a tag, a refusal of one %s', async (_, there, expected) => {
    const denied = refuse('UnauthorizedOperation', 'You are not authorized to perform this operation.', 403)
    // The first look finds the group, and another command removes it meanwhile.
    const groups = [[{ GroupId: 'sg-1' }], there]
    const { api } = account({
      DescribeSecurityGroups: () => ({ SecurityGroups: groups.shift() }),
      DeleteSecurityGroup: denied,
      DescribeLaunchTemplates: () => ({ LaunchTemplates: there }),
      DeleteLaunchTemplate: denied,
    })
    const removed = [
      securityGroup(api, { name: 'x', vpc: 'vpc-1', tags: {}, together: false, signal }).first,
      launchTemplate(api, { name: 'x', data: async () => ({}), tags: {}, signal }),
    ].map(async (one) => one.remove().catch(({ outcome }: { readonly outcome: string }) => outcome))
    expect(await Promise.all(removed)).toEqual([expected, expected])
  })

  test('is not believed for a security group and a launch template that were just made', async () => {
    const { api } = account({
      CreateSecurityGroup: () => ({ GroupId: 'sg-1' }),
      DescribeSecurityGroups: () => ({ SecurityGroups: [] }),
      CreateLaunchTemplate: () => ({ is: 'made' }),
      DeleteLaunchTemplate: refuse('InvalidLaunchTemplateName.NotFoundException'),
    })
    const made = [
      securityGroup(api, { name: 'x', vpc: 'vpc-1', tags: {}, together: false, signal }).first,
      launchTemplate(api, { name: 'x', data: async () => ({}), tags: {}, signal }),
    ]
    for (const one of made) {
      expect(await one.remove()).toBe('absent')
      await one.ensure()
      expect(await one.remove()).toBe('pending')
    }
  })
})
