/**
 * The command line in an emulated subscription whose machines are records: how it reports refusals, what Azure does without it, and that nothing is
 * left.
 */
import http from 'node:http'
import { afterEach, expect, jest, test } from '@jest/globals'
import { remove } from '../../../src/clouds/az/leave.ts'
import type { MachineConfig } from '../../../src/wire/machine.ts'
import { controlOf } from '../../conformance/vm-control.ts'
import { hurriedIn, monthsLater } from '../../setup/hurried-clock.ts'
import { listening, portOf } from '../../setup/listening.ts'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { LABS } from '../vm/labs.ts'
import { onLab } from '../vm/on-lab.ts'
import { ArmFault, noGroup } from './fault.ts'
import { type AzLab, machineIdentity, REGION, startAzLab } from './lab.ts'
import { tokenFor } from './token.ts'

jest.setTimeout(300_000)

let lab: AzLab | undefined
let w: World
let tpi: World['tpi']
onLab(startAzLab, (ground) => {
  ;({ lab, w } = ground)
  tpi = hurriedIn(w)
})
afterEach(() => {
  lab?.front.troubles.clear()
  lab?.world.supply.setRoom({}, Infinity)
})

// First, because the later tests change the world's time, and leave records of refusals.
controlOf(LABS.az, () => lab)

const words = (name: string, ...more: string[]): string[] =>
  `task --cloud az --machine Standard_D2s_v5,Standard_D2as_v5 --spot --name ${name} --workdir p --json`
    .split(' ')
    .concat('--script', 'cat data', ...more)
const detached = (name: string, ...more: string[]): string[] => words(name, '--detach', ...more)

const settled = async (before: readonly string[], of = lab): Promise<void> =>
  untilSame('the subscription is as before', async () => of?.inventory(), before)

const discard = async (name: string, { env }: AzLab): Promise<void> => {
  expect(await tpi(`destroy ${name} --discard --json`, { env })).toMatchObject({ code: 0 })
}

test('Azure accepts a scale set with the user’s own reservation', async () => {
  if (!lab) return
  const before = await lab.inventory()
  const reserved = 'task --cloud az --machine Standard_D2s_v5 --reservation theirs/mine --name reserved --detach --json --script true'
  expect(await tpi(reserved.split(' '), { env: lab.env })).toMatchObject({ code: 0 })
  await discard('reserved', lab)
  await settled(before)
})

test('machines of a gang are in one zone, others in all zones', async () => {
  if (!lab) return
  const { env, world: cloud } = lab
  const before = await lab.inventory()
  for (const [name, zones, ...more] of [
    ['spread', 3],
    ['together', 1, '--gang'],
  ] as const) {
    const { code, host } = await tpi(detached(name, '--parallelism', '6', ...more), { env })
    expect(code).toBe(0)
    await until('all are up', () => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length === 6)
    const used = new Set(cloud.fleet.present(REGION).map(({ place }) => place.zone))
    expect([name, used.size]).toEqual([name, zones])
    // tpi chose the zone, and has to name it: users may wait for a machine there.
    const told = host.lines.filter((line) => line.includes('one zone'))
    expect(told).toEqual(
      zones > 1 ? [] : [expect.stringContaining(`all machines of the gang start in one zone, ${REGION}-${[...used][0]}`)],
    )
    await discard(name, lab)
    await settled(before)
  }
})

test('a quota, a missing right and an unregistered provider each end a run at once with their names, and nothing stays', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  cloud.supply.setQuota(REGION, 'spot', 0)
  const quota = await tpi(words('short'), { env })
  cloud.supply.setQuota(REGION, 'spot', Infinity)
  expect(quota).toMatchObject({ code: 69, facts: { outcome: 'no-capacity' } })
  expect(JSON.stringify(quota.host)).toContain('LowPriorityCores')
  await settled(before)
  for (const action of ['Microsoft.Compute/virtualMachineScaleSets/write', 'Microsoft.Insights/autoscalesettings/write']) {
    front.account.missing.add(action)
    const refused = await tpi(words('refused'), { env })
    front.account.missing.clear()
    expect([action, refused.code]).toEqual([action, 77])
    expect(JSON.stringify(refused.host).toLowerCase()).toContain(action.toLowerCase())
    await settled(before)
  }
  front.account.unregistered.add('Microsoft.Compute')
  const off = await tpi(words('off'), { env })
  front.account.unregistered.clear()
  expect(off).toMatchObject({ code: 77 })
  expect(JSON.stringify(off.host)).toContain('Microsoft.Compute')
  await settled(before)
  // Nor does a record of an unfinished removal.
  expect((await tpi('sweep --cloud az --json', { env })).facts).toEqual([])
})

/** Messages: https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-sku-not-available, …/error-resource-quota */
test('the quota of a family, or of a region, ends a run with its name and where to ask for more, an unavailable size with advice; nothing stays', async () => {
  if (!lab) return
  const { env, front, world } = lab
  const before = await lab.inventory()
  const regular = (name: string): string[] => words(name).filter((word) => word !== '--spot')
  front.sets.families.set('standardDSv5Family', 1)
  const family = await tpi(regular('family'), { env })
  front.sets.families.clear()
  expect(family).toMatchObject({ code: 69, facts: { outcome: 'no-capacity' } })
  expect(JSON.stringify(family.host)).toMatch(/quota for this family of sizes .*portal, Quotas.*standardDSv5Family/)
  await settled(before)
  world.supply.setQuota(REGION, 'on-demand', 1)
  const all = await tpi(regular('all'), { env })
  world.supply.setQuota(REGION, 'on-demand', Infinity)
  expect(all).toMatchObject({ code: 69, facts: { outcome: 'no-capacity' } })
  expect(JSON.stringify(all.host)).toMatch(/quota for all sizes together .*Total Regional Cores/)
  await settled(before)
  for (const [code, message] of [
    ['SkuNotAvailable', "The requested VM size 'Standard_D2s_v5' is currently not available in location 'westeurope'."],
    ['OverconstrainedAllocationRequest', 'Allocation failed. VM(s) with the following constraints cannot be allocated: Networking.'],
  ] as const) {
    front.failOperation(/virtualMachineScaleSets\.createOrUpdate/, new ArmFault(409, code, message))
    const refused = await tpi(words('sold'), { env })
    expect([code, refused.code]).toEqual([code, 69])
    expect(JSON.stringify(refused.host)).toContain(message)
    expect(JSON.stringify(refused.host)).toContain('name other sizes or another region')
    await settled(before)
  }
})

/** Messages: https://learn.microsoft.com/troubleshoot/azure/virtual-machines/linux/allocation-failure */
test.each(['AllocationFailed', 'OverconstrainedAllocationRequest'] as const)(
  'the command that waits for a set without room (%s) says so plainly, with Azure’s word for it; nothing stays',
  async (word) => {
    if (!lab) return
    const { env, front, world: cloud } = lab
    const before = await lab.inventory()
    cloud.supply.setRoom({}, 0)
    front.sets.dryness = word
    try {
      const waited = await tpi(words('dry', '--wait', '2m'), { env })
      expect([waited.code, waited.facts.outcome]).toEqual([75, 'running'])
      const said = new RegExp(`Azure has no such machine available here; it keeps trying.*${word}`)
      expect(waited.host.lines.some((line) => said.test(line))).toBe(true)
    } finally {
      front.sets.dryness = 'AllocationFailed'
    }
    await discard('dry', lab)
    await settled(before)
  },
)

test('an operation that fails late undoes the start; a set without room is tried again by the engine once there is some', async () => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  for (const call of ['virtualNetworks.createOrUpdate', 'virtualMachineScaleSets.createOrUpdate']) {
    front.failOperation(
      new RegExp(call),
      new ArmFault(403, 'RequestDisallowedByPolicy', "Resource 'x' was disallowed by policy 'no machines'."),
    )
    const failed = await tpi(detached('failed'), { env })
    expect([call, failed.code]).toEqual([call, 77])
    expect(JSON.stringify(failed.host)).toContain('no machines')
    await settled(before)
  }
  cloud.supply.setRoom({}, 0)
  expect(await tpi(detached('dry'), { env })).toMatchObject({ code: 0 })
  await until('its set has tried', () => (cloud.groups(REGION)[0]?.activities ?? []).some(({ reason }) => reason?.kind === 'capacity'))
  cloud.supply.setRoom({}, 1)
  await until('a machine comes when there is room', () => cloud.fleet.present(REGION).some(({ state }) => state === 'up'))
  await discard('dry', lab)
  await settled(before)
})

/** Which of both Azure does is not documented. */
test.each([
  ['does not count it, the run has its machine once there is room', false],
  ['counts it, the run waits in vain, also for another command, until it is destroyed and started anew', true],
] as const)('a place in a set for which there was no room: if Azure %s', async (_, counts) => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  const up = (): number => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length
  cloud.supply.setRoom({}, 0)
  front.sets.keepsCapacity = counts
  try {
    expect(await tpi(detached('full'), { env })).toMatchObject({ code: 0 })
    await until('its set has tried', () => (cloud.groups(REGION)[0]?.activities ?? []).some(({ reason }) => reason?.kind === 'capacity'))
    cloud.supply.setRoom({}, 1)
    const looks = front.autoscale.ticks
    await until('the engine has looked several times', () => front.autoscale.ticks > looks + 4)
    if (!counts) return await until('its machine is up', () => up() === 1)
    expect(await tpi(words('full', '--wait', '30s'), { env })).toMatchObject({ code: 75, facts: { outcome: 'running' } })
    expect(up()).toBe(0)
    await discard('full', lab)
    expect(await tpi(detached('full'), { env })).toMatchObject({ code: 0 })
    await until('its machine is up', () => up() === 1)
  } finally {
    front.sets.keepsCapacity = false
    await discard('full', lab)
    await settled(before)
  }
})

/**
 * Resource Manager's front ends learn of each other's changes with a delay:
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-not-found
 */
test('a resource group that is not known everywhere yet neither fails a start, nor is left behind when a start is undone', async () => {
  if (!lab) return
  const { env, front } = lab
  const before = await lab.inventory()
  const deny = (...calls: RegExp[]): void => {
    front.judge = ({ name, path }) => {
      const at = calls.findIndex((one) => one.test(name))
      if (at >= 0) calls.splice(at, 1)
      if (at >= 0) throw noGroup(path['resourceGroupName'] ?? '')
    }
  }
  deny(/networkSecurityGroups\.createOrUpdate$/, /virtualMachineScaleSets\.createOrUpdate$/)
  expect(await tpi(detached('unheard'), { env })).toMatchObject({ code: 0 })
  await discard('unheard', lab)
  await settled(before)
  deny(/resourceGroups\.delete$/)
  front.failOperation(/virtualMachineScaleSets\.createOrUpdate/, new ArmFault(403, 'RequestDisallowedByPolicy', 'Not allowed.'))
  expect(await tpi(detached('undone'), { env })).toMatchObject({ code: 77 })
  front.judge = undefined
  await settled(before)
})

test('in the user’s own resource group, parts that a machine removed by force left behind go with the run, and nothing else does', async () => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  front.resources.putGroup('mine', { location: REGION, tags: {} })
  const before = await lab.inventory()
  front.instances.leavesParts = true
  try {
    expect(await tpi(detached('leaving', '--resource-group', 'mine'), { env })).toMatchObject({ code: 0 })
    await until('its machine is up', () => cloud.fleet.present(REGION).some(({ state }) => state === 'up'))
    expect((await lab.inventory()).filter((one) => /^(?:interface|address|disk) /.test(one))).toHaveLength(3)
    await discard('leaving', lab)
    await settled(before)
  } finally {
    front.instances.leavesParts = false
    front.resources.removeGroup('mine')
    await until('it is gone', async () => !(await lab?.inventory())?.includes('resource group mine'))
  }
})

test('ids in which Azure writes names of resource groups in upper case are the same', async () => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  front.resources.putGroup('mine', { location: REGION, tags: {} })
  const before = await lab.inventory()
  front.shouts = true
  front.instances.leavesParts = true
  try {
    expect(await tpi(detached('loud'), { env })).toMatchObject({ code: 0 })
    expect(await tpi(detached('guest', '--resource-group', 'mine'), { env })).toMatchObject({ code: 0 })
    await until('both are up', () => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length === 2)
    const { facts } = await tpi('list --cloud az --json', { env })
    expect((facts as readonly { readonly name: string }[]).map(({ name }) => name).toSorted()).toEqual(['guest', 'loud'])
    const [first] = cloud.fleet.present(REGION)
    if (first) cloud.reclaim(first, 0)
    await until('it was replaced', () => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length === 2)
    expect(await tpi('stop loud --json', { env })).toMatchObject({ code: 0 })
    for (const name of ['loud', 'guest']) await discard(name, lab)
    await settled(before)
  } finally {
    front.shouts = false
    front.instances.leavesParts = false
    front.resources.removeGroup('mine')
    await until('it is gone', async () => !(await lab?.inventory())?.includes('resource group mine'))
  }
})

test('throttling, lost answers and late ones neither fail a start nor make anything twice', async () => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  front.troubles.on(/^(?:compute|network|resources):.*\.(?:get|list)$/, { kind: 'throttle' }, 2)
  front.troubles.on(/resourceGroups\.createOrUpdate$/, { kind: 'lost-reply' })
  front.troubles.on(/virtualMachineScaleSets\.createOrUpdate$/, { kind: 'lost-reply' })
  front.troubles.on(/autoscaleSettings\.createOrUpdate$/, { kind: 'broken' })
  front.troubles.on(/virtualMachineScaleSets\.update$/, { kind: 'lost-reply' })
  expect(await tpi(detached('rough'), { env })).toMatchObject({ code: 0 })
  await until('its machine is up', () => cloud.fleet.present(REGION).some(({ state }) => state === 'up'))
  expect(cloud.groups(REGION)).toMatchObject([{ sizes: { wanted: 1 } }])
  front.troubles.on(/resourceGroups\.delete$/, { kind: 'lost-reply' })
  await discard('rough', lab)
  await settled(before)
})

test('an evicted machine comes back, and the time limit ends all machines, without a command', async () => {
  // A subscription of its own, because its clock is moved forward.
  const own = await startAzLab({ pace: [30_000, 60_000] })
  if (!own) return expect(process.env['CI']).toBeUndefined()
  const { env, world: cloud } = own
  try {
    const before = await own.inventory()
    expect(await tpi(detached('alone', '--timeout', '1h'), { env })).toMatchObject({ code: 0 })
    await until('its machine is up', () => cloud.fleet.present(REGION).some(({ state }) => state === 'up'))
    const [first] = cloud.fleet.present(REGION)
    if (first) cloud.reclaim(first, 0)
    expect(cloud.groups(REGION)).toMatchObject([{ sizes: { wanted: 0 } }])
    await cloud.clock.skip(90_000)
    expect(cloud.fleet.present(REGION)).toMatchObject([{ state: 'up' }])
    expect(cloud.fleet.present(REGION)[0]?.id).not.toBe(first?.id)
    await cloud.clock.skip(3 * 3600_000)
    expect(cloud.fleet.present(REGION)).toEqual([])
    const made = cloud.fleet.machines.size
    await cloud.clock.skip(6 * 3600_000)
    expect(cloud.fleet.machines.size).toBe(made)
    await discard('alone', own)
    await settled(before, own)
  } finally {
    await own.stop()
  }
})

test.each([
  ['default', 0],
  ['maximum', 2],
  ['any', 3],
] as const)(
  'if Azure accepts no autoscale setting with a 0 (%s), machines are replaced until the deadline; of three that hang then, %i stay, and a sweep removes them',
  async (zero, left) => {
    const own = await startAzLab({ pace: [30_000, 60_000] })
    if (!own) return expect(process.env['CI']).toBeUndefined()
    const { env, front, world: cloud } = own
    const up = (): readonly string[] => cloud.fleet.present(REGION).flatMap(({ id, state }) => (state === 'up' ? [id] : []))
    front.autoscale.refusesZero = zero
    try {
      const before = await own.inventory()
      for (const [name, ...more] of [
        ['two', '--spot', '--parallelism', '2'],
        ['both', '--spot=prefer', '--spot-wait', '2h'],
      ] as const) {
        const given = detached(name, '--timeout', '1h').filter((word) => word !== '--spot')
        const { code, host } = await tpi([...given, ...more], { env })
        expect([name, code]).toEqual([name, 0])
        expect(host.lines.filter((line) => line.includes('did not accept the autoscale setting'))).toHaveLength(1)
      }
      await until('their machines are up, and no other', () => up().length === 3)
      const [first] = cloud.fleet.present(REGION)
      if (first) cloud.reclaim(first, 0)
      await cloud.clock.skip(90_000)
      await until('it was replaced', () => up().length === 3 && !up().includes(first?.id ?? ''))
      await cloud.clock.skip(3 * 3600_000)
      expect(up()).toHaveLength(left)
      const made = cloud.fleet.machines.size
      await cloud.clock.skip(6 * 3600_000)
      // Nothing brings any of them back.
      expect([up().length, cloud.fleet.machines.size]).toEqual([left, made])
      const { code, host } = await tpi('sweep --yes --cloud az --json', { env, given: monthsLater })
      expect([code, code === 0 ? '' : host.lines]).toEqual([0, ''])
      await settled(before, own)
    } finally {
      await own.stop()
    }
  },
)

test('four machines leave at once while the engine is looking: none takes another along, and none comes back', async () => {
  if (!lab) return
  const { env, front, world: cloud, plain, subscription } = lab
  const before = await lab.inventory()
  // What a machine gets from its own host: tokens, and no events.
  const metadata = http.createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://host')
    const token = { access_token: tokenFor(searchParams.get('resource') ?? '', searchParams.get('client_id') ?? ''), expires_in: '3600' }
    response.end(JSON.stringify(pathname.includes('oauth2') ? token : { DocumentIncarnation: 1, Events: [] }))
  })
  await listening(metadata)
  const engine = setInterval(() => front.autoscale.tick(), 3)
  try {
    expect(await tpi(detached('crowd', '--parallelism', '6'), { env })).toMatchObject({ code: 0 })
    await until('six are up', () => cloud.fleet.present(REGION).filter(({ state }) => state === 'up').length === 6)
    const names = cloud.fleet.present(REGION).map(({ id }) => id)
    const [set] = front.sets.all()
    let open = 6
    const leaver = async (machine: string): Promise<void> => {
      open -= 1
      const side = {
        subscription,
        resourceGroup: set?.group ?? '',
        group: set?.name ?? '',
        clientId: machineIdentity(front).clientId,
        endpoint: `${plain}/`,
        metadata: `http://127.0.0.1:${portOf(metadata)}`,
      }
      await remove({ machine, side } as unknown as MachineConfig, 'done', async () => ({ open, holders: [], stopped: false }))
    }
    await Promise.all(names.slice(0, 4).map(leaver))
    await until('four have gone', () => cloud.fleet.present(REGION).length <= 2)
    const looks = front.autoscale.ticks
    await until('the engine has looked again', () => front.autoscale.ticks > looks + 20)
    expect(cloud.fleet.present(REGION).map(({ id, state }) => [id, state])).toEqual(names.slice(4).map((id) => [id, 'up']))
    expect(cloud.fleet.machines.size - [...cloud.fleet.machines.keys()].findIndex((id) => id === names[0])).toBe(6)
  } finally {
    clearInterval(engine)
    metadata.close()
  }
  await discard('crowd', lab)
  await settled(before)
})
