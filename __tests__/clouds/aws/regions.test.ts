/** Deployments are found in every enabled region of the account; a region that does not answer is reported, and does not hide the others. */
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling'
import { EC2Client } from '@aws-sdk/client-ec2'
import { STSClient } from '@aws-sdk/client-sts'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { open } from '../../../src/clouds/aws/index.ts'
import { groupName, twinName } from '../../../src/clouds/aws/names.ts'
import { groupTags } from '../../../src/clouds/aws/tags.ts'
import type { Cloud, CloudContext, DeploymentTags } from '../../../src/core/cloud.ts'
import { tagsOf } from '../../setup/tags.ts'
import { refusal } from './account.ts'

const near = tagsOf({ id: 'tpi-near-0123456789', name: 'near' })
const far = tagsOf({ id: 'tpi-far-0123456789', name: 'far' })
const group = (tags: DeploymentTags, name = groupName(tags), wanted = 0): object => ({
  AutoScalingGroupName: name,
  DesiredCapacity: wanted,
  Tags: groupTags(name, tags),
})

/** Groups of each region, or its error. */
let account: Record<string, object[] | Error>
/** `region operation` */
let asked: string[]
let warned: string[]
beforeEach(() => {
  account = { 'us-east-1': [group(near)], 'eu-west-1': [group(far)], 'ap-south-1': [] }
  asked = []
  warned = []
  async function send(this: { readonly config: { region(): Promise<string> } }, command: object): Promise<unknown> {
    const region = await this.config.region()
    const operation = command.constructor.name.replace(/Command$/, '')
    asked.push(`${region} ${operation}`)
    if (operation === 'DescribeRegions') {
      if (account['regions'] instanceof Error) throw account['regions']
      return { Regions: Object.keys(account).map((RegionName) => ({ RegionName })) }
    }
    if (operation === 'GetCallerIdentity') return { Account: '123456789012', Arn: 'arn:aws:iam::123456789012:user/ci' }
    const groups = account[region] ?? []
    if (groups instanceof Error) throw groups
    return { AutoScalingGroups: groups, Activities: [] }
  }
  for (const client of [AutoScalingClient, EC2Client, STSClient]) jest.spyOn(client.prototype, 'send').mockImplementation(send as never)
})
afterEach(() => void jest.restoreAllMocks())

const aws = async (values: Record<string, unknown> = {}, region = 'us-east-1'): Promise<Cloud> =>
  open({
    env: { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: region },
    values,
    log: { warn: (line: string) => warned.push(line) },
  } as unknown as CloudContext)
const ids = (found: readonly { readonly tags: DeploymentTags }[]): string[] => found.map(({ tags: { id } }) => id).sort()

test('what was started in another region is found, and looked at there', async () => {
  const cloud = await aws()
  expect(ids(await cloud.list())).toEqual([far.id, near.id])
  asked.length = 0
  await cloud.observe(far)
  await cloud.end(far)
  await cloud.observe(near)
  expect(new Set(asked.map((call) => call.split(' ')[0]))).toEqual(new Set(['eu-west-1', 'us-east-1']))
  expect(asked).toContain('eu-west-1 UpdateAutoScalingGroup')
  expect(asked).not.toContain('us-east-1 UpdateAutoScalingGroup')
})

test('only the named region is searched, or the known region of a name', async () => {
  expect(ids(await (await aws({ region: 'eu-west' })).list())).toEqual([far.id])
  expect(asked).toEqual(['eu-west-1 GetCallerIdentity', 'eu-west-1 DescribeAutoScalingGroups'])
  asked.length = 0
  await (await aws()).list(undefined, near.id)
  expect(asked).toEqual(['us-east-1 DescribeAutoScalingGroups'])
})

test('a region that does not answer is reported and does not hide the others; without a listener it is an error', async () => {
  account['ap-south-1'] = refusal('ServiceUnavailable', 'not now', 503)
  const lost: string[] = []
  expect(ids(await (await aws()).list((where) => lost.push(where)))).toEqual([far.id, near.id])
  expect(lost).toEqual(['ap-south-1'])
  await expect((await aws()).list()).rejects.toThrow('look for groups in ap-south-1')
})

test('regions that the account may not use are reported once, and are no failure', async () => {
  account['ap-south-1'] = refusal('UnauthorizedOperation', 'with an explicit deny in a service control policy', 403)
  account['sa-east-1'] = refusal('AuthFailure', 'AWS was not able to validate the provided access credentials', 401)
  const lost: string[] = []
  expect(ids(await (await aws()).list((where) => lost.push(where)))).toEqual([far.id, near.id])
  expect([lost, warned]).toEqual([
    [],
    ['aws: these credentials are not allowed to look into ap-south-1, sa-east-1; --region NAME looks into one'],
  ])
})

test('if no region answers, only the first error is reported', async () => {
  const no = refusal('AuthFailure', 'AWS was not able to validate the provided access credentials', 401)
  account = new Proxy({}, { get: () => no })
  const lost: string[] = []
  expect(await (await aws()).list((where) => lost.push(where))).toEqual([])
  expect([lost, warned]).toEqual([['us-east-1'], []])
})

test('regions that every account has are searched before the list of enabled ones arrives', async () => {
  account['af-south-1'] = [group(tagsOf({ id: 'tpi-switched-0123456789', name: 'switched' }))]
  expect(ids(await (await aws()).list())).toEqual([far.id, near.id, 'tpi-switched-0123456789'])
  expect(asked.filter((call) => call.startsWith('eu-west-1'))).toEqual(['eu-west-1 DescribeAutoScalingGroups'])
  const before = asked.indexOf('eu-west-1 DescribeAutoScalingGroups') < asked.indexOf('af-south-1 DescribeAutoScalingGroups')
  expect(before).toBe(true)
})

test('without the right to list regions, those are searched; in another partition, only the current one', async () => {
  account['regions'] = refusal('UnauthorizedOperation', 'no', 403)
  expect(ids(await (await aws()).list())).toEqual([far.id, near.id])
  asked.length = 0
  account['cn-north-1'] = [group(far)]
  expect(ids(await (await aws({}, 'cn-north-1')).list())).toEqual([far.id])
  expect(asked.filter((call) => call.endsWith('Groups'))).toEqual(['cn-north-1 DescribeAutoScalingGroups'])
})

test('if the regions cannot be listed, those that every account has are still searched, and the rest is reported', async () => {
  account['regions'] = refusal('RequestLimitExceeded', 'Request limit exceeded.', 503)
  const lost: string[] = []
  expect(ids(await (await aws()).list((where) => lost.push(where)))).toEqual([far.id, near.id])
  expect(lost).toEqual(['other regions'])
  await expect((await aws()).list()).rejects.toThrow('look for regions')
})

test('two groups of one deployment count as one, also if only the second is left', async () => {
  account['us-east-1'] = [group(near), group(near, twinName(near), 1)]
  account['eu-west-1'] = [group(far, twinName(far))]
  expect((await (await aws()).list()).map(({ tags, phase }) => [tags.id, phase]).sort()).toEqual([
    [far.id, 'stopped'],
    [near.id, 'up'],
  ])
})

test('a deployment that no region lists is looked for where the record places it', async () => {
  const cloud = await aws({ region: 'us-east' })
  expect(cloud.region).toBe('us-east-1')
  await cloud.observe({ ...far, region: 'eu-west-1' })
  await cloud.end({ ...far, region: 'eu-west-1' })
  expect(new Set(asked.map((call) => call.split(' ')[0]))).toEqual(new Set(['eu-west-1']))
})

test('a group that was looked for before its region was known is read there once it is known', async () => {
  const cloud = await aws()
  await cloud.observe(far)
  await cloud.list()
  asked.length = 0
  await cloud.observe(far)
  expect(new Set(asked.map((call) => call.split(' ')[0]))).toEqual(new Set(['eu-west-1']))
})
