/** Instances of the emulated account as machines that boot: what the metadata service tells each, and what of its life the account sees. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineHost } from '../vm/host/machine-host.ts'
import type { Machine } from '../vm/simulation/types.ts'
import type { Front } from './front.ts'
import { inside, type TemplateRef } from './instances.ts'

/** What it takes of a host of machines. */
export type Host = Pick<MachineHost, 'boot' | 'end' | 'running' | 'onExit'>

/** Milliseconds that a machine has to shut itself down: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/terminating-instances.html */
const SHUTDOWN = 5000
/** Milliseconds that lent credentials are good for. */
const LENT = 3600_000

export function bootMachines(front: Front, host: Host): void {
  const { world } = front
  const booted = new Map<string, Promise<void>>()
  let number = 1
  world.listen((machine) => {
    const begun = booted.get(machine.id)
    if (machine.state === 'starting' && !begun) {
      number = (number % 240) + 1
      booted.set(machine.id, boot(front, host, machine, `10.20.0.${number + 1}`))
    }
    if (machine.state === 'ending' && begun && machine.cause !== 'powered-off')
      end(host, machine, begun).catch((error: unknown) => world.broken(error))
  })
  host.onExit((id) => {
    const machine = world.machine(id)
    if (machine) world.lose(machine, 'powered-off')
  })
}

async function boot(front: Front, host: Host, machine: Machine, address: string): Promise<void> {
  const { id, region, place, market, type } = machine
  const template = front.world.groupOf(machine)?.wish.template as TemplateRef | undefined
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
    if (path === 'meta-data/autoscaling/target-lifecycle-state') return machine.state === 'ending' ? 'Terminated' : 'InService'
    return undefined
  }
  try {
    await host.boot({ id, vendor: 'aws', region, zone: place.zone, address, userData, metadata: { get }, spot: market === 'spot' })
  } catch (error) {
    front.world.broken(error)
  }
}

/** By the power button, then by pulling the plug; a machine that a pool takes back, or that dies, has the plug pulled at once. */
async function end(host: Host, machine: Machine, begun: Promise<void>): Promise<void> {
  await begun
  const { id, cause } = machine
  // Whichever way was first: the machine is off.
  const off = async (how: 'soft' | 'hard'): Promise<void> =>
    host.end(id, how).catch((error: unknown) => {
      if (host.running().includes(id)) throw error
    })
  if (cause === 'wished') await Promise.race([off('soft'), sleep(SHUTDOWN)])
  if (host.running().includes(id)) await off('hard')
}

/** Keys of the role in the profile, as soon as there is one, and new ones before those run out. */
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
