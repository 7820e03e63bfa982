/**
 * The emulated account as third-party clients see it: boto3 and the `aws` command line. They accept it as AWS, so it is fit to test tpi's own client.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { world } from '../../setup/world.ts'
import { run, until } from '../shell.ts'
import { shareRuntime } from '../vm/runtime.ts'
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

test('the aws command line lists and describes, and handles throttling, lost answers and closed regions', async () => {
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

test('a run made by a command is found by its tags, shrunk by the aws command line, and removed by boto3; then tpi finds nothing', async () => {
  if (!lab) return
  const { env, vendor, world: cloud } = lab
  const w = await world()
  try {
    await shareRuntime(w.home)
    await w.write('p/data', 'one\n')
    const before = await lab.inventory()
    const words = 'task --cloud aws --machine m5.large,m6i.large --spot --name judged --parallelism 2 --workdir p --detach --json --script'
    expect((await w.tpi([...words.split(' '), 'true'], { env })).code).toBe(0)
    await until('its machines are up', 20, async () => cloud.fleet.present('us-east-1').length === 2 || undefined)
    const ours = ['--filters', 'Name=tag:tpi:name,Values=judged']
    const { AutoScalingGroups } = (await aws(vendor, ['autoscaling', 'describe-auto-scaling-groups', ...ours], env)) as Groups
    expect(AutoScalingGroups).toMatchObject([{ DesiredCapacity: 2, Instances: [{}, {}] }])
    const group = ['--auto-scaling-group-name', AutoScalingGroups[0]?.AutoScalingGroupName ?? '']
    await aws(vendor, ['autoscaling', 'set-desired-capacity', ...group, '--desired-capacity', '1'], env)
    await until('one has gone', 20, async () => cloud.fleet.present('us-east-1').length === 1 || undefined)
    await aws(vendor, ['autoscaling', 'set-desired-capacity', ...group, '--desired-capacity', '2'], env)
    const judge = [join(import.meta.dirname, 'judge_run.py'), 'judged', 'tpi-123456789012-us-east-1']
    const said = await run(vendor.python, judge, { env: { PATH: process.env['PATH'], ...env } })
    const tags = ['tpi:id', 'tpi:incarnation', 'tpi:mode', 'tpi:name', 'tpi:until']
    expect(JSON.parse(said)).toEqual({
      group: [0, 2, 2, 'task', true],
      suspended: ['AZRebalance'],
      switch: [[0, 0, 0]],
      template: ['required', true, false],
      machines: [
        ['spot', 'tpi', tags],
        ['spot', 'tpi', tags],
      ],
      disks: [
        [true, tags],
        [true, tags],
      ],
      interfaces: [[true], [true]],
      wall: [[[true]]],
      role: [tags, ['tpi']],
      stored: true,
    })
    expect((await w.tpi('list --cloud aws --json', { env })).facts).toEqual([])
    const again = await w.tpi('destroy judged --discard --json --cloud aws', { env })
    expect(JSON.stringify(again.host.lines)).toContain('there is no run')
    await until('nothing is left', 20, async () => isDeepStrictEqual(await lab?.inventory(), before) || undefined)
    expect(await lab.stored()).toEqual([])
  } finally {
    await w.end()
  }
})

interface Groups {
  readonly AutoScalingGroups: readonly { readonly AutoScalingGroupName: string }[]
}
