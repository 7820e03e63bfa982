/**
 * The command line in an emulated account whose machines are records: how it reports refusals, what the vendor does without it, and that nothing is
 * left.
 */
import { afterEach, expect, jest, test } from '@jest/globals'
import { controlOf } from '../../conformance/vm-control.ts'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { untilSaid } from '../vm/command.ts'
import { LABS } from '../vm/labs.ts'
import { onLab } from '../vm/on-lab.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

jest.setTimeout(300_000)

let lab: AwsLab | undefined
let w: World
onLab(startAwsLab, (ground) => {
  ;({ lab, w } = ground)
})
afterEach(() => lab?.front.troubles.clear())

// First, because the later tests change the world's time, and leave records of refusals.
controlOf(LABS.aws, () => lab)

const words = (name: string, ...more: string[]): string[] => [
  'task',
  '--cloud',
  'aws',
  '--machine',
  'm5.large,m6i.large',
  '--name',
  name,
  '--workdir',
  'p',
  '--detach',
  '--script',
  'cat data',
  '--json',
  ...more,
]

const settled = async (before: readonly string[]): Promise<void> =>
  untilSame('the account is as before', async () => lab?.inventory(), before)

test('a quota and a missing permission end a run at once with their names, and nothing stays', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  const attached = words('short').filter((word) => word !== '--detach')
  cloud.supply.setQuota('us-east-1', 'spot', 0)
  cloud.supply.setQuota('us-east-1', 'on-demand', 0)
  const quota = await w.tpi(attached, { env })
  cloud.supply.setQuota('us-east-1', 'spot', Infinity)
  cloud.supply.setQuota('us-east-1', 'on-demand', Infinity)
  expect(quota).toMatchObject({ code: 69, facts: { outcome: 'no-capacity' } })
  expect(JSON.stringify(quota.host)).toContain('quota')
  await settled(before)
  front.instances.mayLaunch = () => 'You are not authorized to perform this operation'
  const denied = await w.tpi(attached, { env })
  front.instances.mayLaunch = () => undefined
  expect(denied).toMatchObject({ code: 77, facts: { outcome: 'denied' } })
  await settled(before)
})

test('resources that are new, in use or changing are waited for: the machines come, and everything is removed', async () => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  Object.assign(front, { roleLag: 1500, profileLag: 3000 })
  expect((await w.tpi(words('young'), { env })).code).toBe(0)
  await until('its machine is up', () => cloud.fleet.present('us-east-1').some(({ state }) => state === 'up'))
  Object.assign(front, { roleLag: 0, profileLag: 0 })
  // As on the pages of DeleteAutoScalingGroup, DeleteRole and DeleteInstanceProfile, under Errors.
  front.refuse(
    /DeleteAutoScalingGroup/,
    'ScalingActivityInProgress',
    'You cannot delete an AutoScalingGroup while a scaling activity is in progress.',
  )
  front.refuse(
    /DeleteAutoScalingGroup/,
    'ResourceInUse',
    'You cannot delete an AutoScalingGroup while there are instances still in the group.',
  )
  front.refuse(/DeleteRole$/, 'DeleteConflict', 'Cannot delete entity, must remove roles from instance profile first.', 2, 409)
  front.refuse(/DeleteInstanceProfile/, 'DeleteConflict', 'Cannot delete entity, must remove roles from instance profile first.', 2, 409)
  expect((await w.tpi('destroy young --discard --json', { env })).code).toBe(0)
  await settled(before)
})

test('a group whose vendor has given up says so, and a machine that died while starting is reported with its own reason', async () => {
  if (!lab) return
  const { env, world: cloud } = lab
  const before = await lab.inventory()
  cloud.supply.setRoom({ region: 'us-east-1' }, 0)
  const attached = words('starved').filter((word) => word !== '--detach')
  const reported = untilSaid(w, attached, env, 'Administrative suspension')
  await until('it is tried', () => cloud.groups('us-east-1').some(({ activities }) => activities.some(({ state }) => state === 'failed')))
  await cloud.clock.skip(120_000)
  expect(await reported).toContain('Administrative suspension')
  cloud.supply.setRoom({ region: 'us-east-1' }, Infinity)
  expect((await w.tpi('destroy starved --discard --json', { env })).code).toBe(0)
  cloud.times = { ...cloud.times, start: 60_000 }
  const died = untilSaid(
    w,
    words('dying').filter((word) => word !== '--detach'),
    env,
    'Server.InternalError',
  )
  await until('one is on its way', () => cloud.fleet.present('us-east-1').length > 0)
  cloud.lose(cloud.fleet.present('us-east-1')[0]!, 'died')
  expect(await died).toContain('Server.InternalError')
  cloud.times = { ...cloud.times, start: 50 }
  expect((await w.tpi('destroy dying --discard --json', { env })).code).toBe(0)
  await settled(before)
})

test('the vendor’s schedule ends the machines when no command is running any more', async () => {
  if (!lab) return
  const { env, world: cloud } = lab
  const before = await lab.inventory()
  expect((await w.tpi(words('alone', '--timeout', '1h'), { env })).code).toBe(0)
  await until('its machine is up', () => cloud.fleet.present('us-east-1').length === 1)
  await cloud.clock.skip(50 * 60_000)
  expect(cloud.fleet.present('us-east-1')).toHaveLength(1)
  await cloud.clock.skip(3 * 3600_000)
  await until('nothing runs', () => cloud.fleet.present('us-east-1').length === 0)
  expect(cloud.groups('us-east-1')).toMatchObject([{ sizes: { min: 0, wanted: 0, max: 0 } }])
  expect((await w.tpi('destroy alone --discard --json', { env })).code).toBe(0)
  await settled(before)
})
