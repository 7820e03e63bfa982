/**
 * What the metadata service tells an instance of the emulated account, and what the account sees of its life; the machine itself is a record here.
 */
import type { Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { portOf } from '../../setup/listening.ts'
import { until } from '../shell.ts'
import type { BootParams } from '../vm/host/machine-host.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

const booted = new Map<string, BootParams>()
const ended: string[] = []
const off: ((id: string) => void)[] = []
const machines = {
  boot: async (request: BootParams) => void booted.set(request.id, request),
  end: async (id: string, how: string) => void (ended.push(`${how} ${id}`), booted.delete(id)),
  running: () => [...booted.keys()],
  onExit: (listener: (id: string) => void) => void off.push(listener),
  console: async () => '',
  expose: async (what: Server | number) => `http://127.0.0.1:${typeof what === 'number' ? what : portOf(what)}`,
}

let lab: AwsLab | undefined
beforeAll(async () => {
  lab = await startAwsLab({ machines, times: { health: 50 } })
}, 120_000)
afterAll(() => lab?.stop())

async function call(service: string, form: Readonly<Record<string, string>>): Promise<string> {
  const authorization = `AWS4-HMAC-SHA256 Credential=A/20261102/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`
  const answer = await fetch(lab?.endpoint ?? '', { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

const one = async (not = ''): Promise<BootParams> =>
  until('a machine boots', 60, async () => [...booted.values()].find(({ id }) => id !== not))

test('it gets its user-data, its role’s keys once there is a role, notices and its target state; after it powers off, another comes', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const iam = { Version: '2010-05-08' }
  await call('iam', { ...iam, Action: 'CreateInstanceProfile', InstanceProfileName: 'p' })
  const subnet = /<subnetId>([^<]+)/.exec(await call('ec2', { Action: 'DescribeSubnets', Version: '2016-11-15' }))?.[1] ?? ''
  await call('ec2', {
    Action: 'CreateLaunchTemplate',
    Version: '2016-11-15',
    LaunchTemplateName: 'tpl',
    'LaunchTemplateData.ImageId': 'ami-00000000000001000',
    'LaunchTemplateData.UserData': Buffer.from('#hello').toString('base64'),
    'LaunchTemplateData.IamInstanceProfile.Name': 'p',
  })
  const policy = 'MixedInstancesPolicy.LaunchTemplate'
  await call('autoscaling', {
    Action: 'CreateAutoScalingGroup',
    Version: '2011-01-01',
    AutoScalingGroupName: 'g',
    MinSize: '0',
    MaxSize: '1',
    DesiredCapacity: '1',
    VPCZoneIdentifier: subnet,
    [`${policy}.LaunchTemplateSpecification.LaunchTemplateName`]: 'tpl',
    [`${policy}.Overrides.member.1.InstanceType`]: 'm6i.large',
    'MixedInstancesPolicy.InstancesDistribution.OnDemandPercentageAboveBaseCapacity': '0',
  })
  const first = await one()
  expect([Buffer.from(first.userData).toString(), first.spot, first.zone]).toEqual(['#hello', true, 'us-east-1a'])
  const keys = 'meta-data/iam/security-credentials/'
  expect([first.metadata.get(keys), first.metadata.get('meta-data/spot/instance-action')]).toEqual([undefined, undefined])
  await call('iam', { ...iam, Action: 'CreateRole', RoleName: 'r', AssumeRolePolicyDocument: '{"Version":"2012-10-17","Statement":[]}' })
  await call('iam', { ...iam, Action: 'AddRoleToInstanceProfile', InstanceProfileName: 'p', RoleName: 'r' })
  await until('its role is there', 60, async () => first.metadata.get(keys))
  expect(JSON.parse(first.metadata.get(`${keys}r`) ?? '')).toMatchObject({ Code: 'Success', AccessKeyId: expect.stringMatching(/^ASIA/) })
  for (const listener of off) listener(first.id)
  booted.delete(first.id)
  const second = await one(first.id)
  const { world } = lab
  await until('it runs', 60, async () => (world.machine(second.id)?.state === 'up' ? true : undefined))
  world.reclaim(world.machine(second.id)!, 100)
  expect(JSON.parse(second.metadata.get('meta-data/spot/instance-action') ?? '')).toMatchObject({ action: 'terminate' })
  expect(second.metadata.get('meta-data/autoscaling/target-lifecycle-state')).toBe('InService')
  await until('the plug is pulled', 60, async () => ended.find((line) => line === `hard ${second.id}`))
  await call('autoscaling', { Action: 'DeleteAutoScalingGroup', Version: '2011-01-01', AutoScalingGroupName: 'g', ForceDelete: 'true' })
  const left = async (): Promise<boolean> =>
    ((await lab?.inventory()) ?? []).some((line) => /^(?:group |instance |machine |networkInterfaceId |volumeId )/.test(line))
  await until('nothing of it is left', 60, async () => (booted.size === 0 && !(await left()) ? true : undefined))
})

test('user-data of more than 16 KiB is refused with its template; base64 does not count', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const made = async (bytes: number): Promise<string> =>
    call('ec2', {
      Action: 'CreateLaunchTemplate',
      Version: '2016-11-15',
      LaunchTemplateName: `tpl-${bytes}`,
      'LaunchTemplateData.UserData': Buffer.alloc(bytes, '#').toString('base64'),
    })
  await expect(made(16_385)).rejects.toThrow(
    '<Code>InvalidUserData.Malformed</Code><Message>User data is limited to 16384 bytes.</Message>',
  )
  expect(await made(16_384)).toContain('tpl-16384')
})
