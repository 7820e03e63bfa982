/** Boots instances of the emulated account as machines: what the metadata service tells each, and what the account sees of its life. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { followMachines, type Host } from '../vm/host/follow.ts'
import type { Machine } from '../vm/simulation/types.ts'
import type { Front } from './front.ts'
import { inside, type TemplateRef } from './instances.ts'

/** How many milliseconds temporary credentials are valid. */
const LENT = 3600_000

/** https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html : a d after the generation means instance storage. */
const LOCAL = /^[a-z]\d[a-z]*d[a-z]*\./

export function bootMachines(front: Front, host: Host): void {
  followMachines(front.world, host, { boot: async (machine, address) => boot(front, host, machine, address), off: () => 'powered-off' })
}

async function boot(front: Front, host: Host, machine: Machine, address: string): Promise<void> {
  const { id, region, place, market, type } = machine
  const template = front.world.groupOf(machine)?.request.template as TemplateRef | undefined
  const data = template && front.instances.template(region, template)
  const userData = Buffer.from(data?.get('UserData') ?? '', 'base64')
  const identity = { keys: undefined as string | undefined, role: undefined as string | undefined }
  const profile = data?.get('IamInstanceProfile.Name') ?? data?.get('IamInstanceProfile.Arn')?.split('/').at(-1)
  if (profile !== undefined) lend(front, machine, profile, identity).catch((error: unknown) => front.world.broken(error))
  const get = (path: string): string | undefined => {
    if (path === 'meta-data/iam/security-credentials/') return identity.role
    if (identity.role !== undefined && path === `meta-data/iam/security-credentials/${identity.role}`) return identity.keys
    // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-categories.html
    if (path === 'meta-data/instance-type') return type
    if (path === 'meta-data/instance-life-cycle') return market
    // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
    if (path === 'meta-data/spot/instance-action' && machine.notice)
      return JSON.stringify({ action: 'terminate', time: new Date(machine.notice.due).toISOString().replace(/\.\d+/, '') })
    // https://docs.aws.amazon.com/autoscaling/ec2/userguide/retrieving-target-lifecycle-state-through-imds.html
    if (path === 'meta-data/autoscaling/target-lifecycle-state')
      // Only by a request: who is lost is not told.
      return machine.state === 'ending' && machine.cause === 'requested' ? 'Terminated' : 'InService'
    return undefined
  }
  const localDisk = LOCAL.test(type) ? `by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_AWS${id.slice(2).toUpperCase()}` : undefined
  const params = { id, vendor: 'aws' as const, region, zone: place.zone, address, userData, metadata: { get }, spot: market === 'spot' }
  const among = (await admitting(front, region, data)) ?? id
  await host.boot({ ...params, among, ...(localDisk && { localDisk }) })
}

/** A security group of the template that admits its own members: https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html */
async function admitting(front: Front, region: string, data: URLSearchParams | undefined): Promise<string | undefined> {
  const groups = [...(data ?? [])].flatMap(([name, value]) => (/SecurityGroupId\.\d+$/.test(name) ? [value] : []))
  for (const group of groups) {
    const form = { Action: 'DescribeSecurityGroups', Version: '2016-11-15', 'GroupId.1': group }
    const inbound = /<ipPermissions>(.*?)<\/ipPermissions>/s.exec(await front.ask('ec2', region, form))?.[1] ?? ''
    if (inbound.includes(`<groupId>${group}</groupId>`)) return group
  }
  return undefined
}

/** Keys of the profile's role, as soon as it has one, renewed before they expire. */
async function lend(
  front: Front,
  machine: Machine,
  profile: string,
  identity: { keys: string | undefined; role: string | undefined },
): Promise<void> {
  while (machine.state !== 'gone') {
    const form = { Action: 'GetInstanceProfile', Version: '2010-05-08', InstanceProfileName: profile }
    const role = inside(await front.ask('iam', 'us-east-1', form).catch(() => ''), 'RoleName')
    if (role !== undefined) {
      const AccessKeyId = `ASIA${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`
      const stamp = (ahead: number): string => new Date(Date.now() + ahead).toISOString().replace(/\.\d+/, '')
      const common = { Code: 'Success', Type: 'AWS-HMAC', LastUpdated: stamp(0), Expiration: stamp(LENT) }
      identity.keys = JSON.stringify({ ...common, AccessKeyId, SecretAccessKey: randomUUID(), Token: `token-of-${AccessKeyId}` })
      identity.role = role
      await sleep(LENT / 2, undefined, { ref: false })
    } else await sleep(300, undefined, { ref: false })
  }
}
