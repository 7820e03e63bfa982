/** The emulated account as clients see it that nobody here wrote: boto3 and the `aws` command line. What they take for AWS, our own client is tried against. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { run, until } from '../shell.ts'
import { type AwsLab, startAwsLab } from './lab.ts'
import { aws } from './vendor.ts'

jest.setTimeout(300_000)

let lab: AwsLab | undefined
let round = 0
beforeAll(async () => {
  lab = await startAwsLab()
})
afterAll(() => lab?.stop())

test('boto3 makes, sees, shrinks and removes a group, is refused where AWS refuses, and leaves the account as it was', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const before = await lab.inventory()
  const name = `tpi-judge-${++round}`
  const said = await run(lab.vendor.python, [join(import.meta.dirname, 'judge.py'), name], {
    env: { PATH: process.env['PATH'], ...lab.env },
  })
  expect(JSON.parse(said)).toEqual({
    account: '123456789012',
    device: '/dev/sda1',
    offered: true,
    'same token': true,
    'same name': 'InvalidLaunchTemplateName.AlreadyExistsException',
    'group twice': 'AlreadyExists',
    'no template': 'ValidationError',
    past: 'ValidationError',
    schedules: ['deadline'],
    'too many': 'ValidationError',
    suspended: ['AZRebalance'],
    zones: 2,
    instances: true,
    instance: ['spot', 'required', name, 'running', 1],
    tags: ['aws:autoscaling:groupName', 'tpi:id', 'tpi:incarnation'],
    'user data': '#cloud-boothook\ntrue',
    disk: true,
    left: ['InProgress', 1],
    'left again': 'ValidationError',
    replaced: true,
    'in use': 'ResourceInUse',
    activities: [['Successful'], 6],
    gone: ['ValidationError', []],
    afterwards: true,
    object: [1000, 'PreconditionFailed'],
    owner: '403',
  })
  await until('what ends has ended', 20, async () => isDeepStrictEqual(await lab?.inventory(), before) || undefined)
})

test('the aws command line lists and describes, and believes throttling, lost answers and closed regions', async () => {
  if (!lab) return
  const { front, env, vendor } = lab
  front.troubles.on(/^autoscaling:Describe/, { kind: 'throttle' }, 2)
  front.troubles.on(/^autoscaling:Describe/, { kind: 'lost-reply' })
  expect(await aws(vendor, ['autoscaling', 'describe-auto-scaling-groups'], env)).toEqual({ AutoScalingGroups: [] })
  expect(front.troubles.seen.filter(({ call }) => call === 'autoscaling:DescribeAutoScalingGroups').slice(-4)).toHaveLength(4)
  front.closed.add('eu-south-1')
  await expect(aws(vendor, ['ec2', 'describe-vpcs', '--region', 'eu-south-1'], env)).rejects.toThrow('AuthFailure')
  front.troubles.on(/^ec2:DescribeVpcs/, { kind: 'denied' })
  await expect(aws(vendor, ['ec2', 'describe-vpcs'], env)).rejects.toThrow('UnauthorizedOperation')
  front.troubles.clear()
})
