/** Two regions of an emulated account, by the real command line: what one storage records of both is found and removed in its region. */
import { afterEach, expect, jest, test } from '@jest/globals'
import { hurriedBy, hurriedClock } from '../../setup/hurried-clock.ts'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { realCommand } from '../vm/command.ts'
import { onLab } from '../vm/on-lab.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

jest.setTimeout(300_000)

const EAST = 'us-east-1'
const WEST = 'us-west-2'

let lab: AwsLab | undefined
let w: World
/** What both regions contain before tpi makes anything. */
let before: readonly string[] | undefined
onLab(startAwsLab, async (ground) => {
  ;({ lab, w } = ground)
  if (!lab) return
  // This makes the region's storage, which stays, and also keeps what is started in the other region.
  const first = words('first', EAST).filter((word) => !STORAGE.includes(word))
  for (const given of [first, 'destroy first --discard --json']) expect((await w.tpi(given, { env: lab.env })).code).toBe(0)
  await until('nothing of its machine is left', () => [...(lab?.world.fleet.parts.values() ?? [])].every(({ goesWithIt }) => !goesWithIt))
  before = await inventory()
})
afterEach(() => lab?.front.troubles.clear())

const STORAGE = ['--storage', 's3://tpi-123456789012-us-east-1/both']
const COMMON = ['--cloud', 'aws', '--json', ...STORAGE]
const words = (name: string, region: string, ...more: string[]): string[] => [
  'task',
  ...COMMON,
  '--region',
  region,
  '--machine',
  'm5.large',
  '--name',
  name,
  '--detach',
  '--script',
  'true',
  ...more,
]
const inventory = async (): Promise<readonly string[] | undefined> => lab?.inventory([EAST, WEST])
const settled = async (): Promise<void> => untilSame('both regions are as before', async () => inventory(), before)

test('a run is stopped, replaced and destroyed by commands that name another region, and nothing is left in its own', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { env, world: cloud } = lab
  const machines = (): readonly number[] => [EAST, WEST].map((region) => cloud.fleet.present(region).length)
  const wanted = (): unknown => [EAST, WEST].map((region) => cloud.groups(region).map(({ sizes }) => sizes.wanted))
  expect((await w.tpi(words('moves', EAST), { env })).code).toBe(0)
  await until('its machine is up', () => machines()[0] === 1)
  expect((await w.tpi('stop moves --json --cloud aws', { env: { ...env, AWS_REGION: WEST } })).code).toBe(0)
  await until('it is stopped where it is', () => machines()[0] === 0)
  expect((await w.tpi(words('moves', WEST, '--if-exists', 'replace'), { env })).code).toBe(0)
  await until('its group is in the other region, and only there', () => JSON.stringify(wanted()) === '[[],[1]]')
  expect((await w.tpi(['destroy', 'moves', '--discard', ...COMMON, '--region', EAST], { env })).code).toBe(0)
  await settled()
})

test.each(['ec2:CreateLaunchTemplate', 'autoscaling:CreateAutoScalingGroup'])(
  'what a command killed at %s left in one region is swept from another',
  async (call) => {
    if (!lab) return
    const { env, front } = lab
    const killed = await realCommand(w, words('cut', WEST), env, (child) => {
      front.troubles.onCall = (name) => void (name === call && child.kill('SIGKILL'))
    })
    expect([killed.signal, killed.err]).toEqual(['SIGKILL', expect.anything()])
    front.troubles.clear()
    expect(await inventory()).not.toEqual(before)
    const swept = await realCommand(w, ['sweep', '--yes', ...COMMON, '--region', EAST], env)
    expect([swept.code, swept.out]).toEqual([0, expect.stringContaining('"removed": true')])
    await settled()
  },
)

test('without a named storage, sweep finds what a killed creation left in the storage of its own region', async () => {
  if (!lab) return
  const { env, front } = lab
  const own = words('own', WEST).filter((word) => !STORAGE.includes(word))
  const killed = await realCommand(w, own, env, (child) => {
    front.troubles.onCall = (name) => void (name === 'ec2:CreateLaunchTemplate' && child.kill('SIGKILL'))
  })
  expect([killed.signal, killed.err]).toEqual(['SIGKILL', expect.anything()])
  front.troubles.clear()
  const left = await inventory()
  // The storage of that region exists now, and stays.
  const swept = await realCommand(w, ['sweep', '--yes', '--cloud', 'aws', '--json'], env)
  expect([swept.code, swept.out]).toEqual([0, expect.stringContaining('"removed": true')])
  expect(left).not.toEqual(before)
  await settled()
})

test('a task that finds no room in the first region moves to the next one, keeps the first one’s storage, and is found there', async () => {
  if (!lab) return
  const { env, world: cloud } = lab
  const wanted = (): unknown => [EAST, WEST].map((region) => cloud.groups(region).map(({ sizes }) => sizes.wanted))
  const roams = (...more: string[]): string[] =>
    words('roams', `${EAST},${WEST}`, ...more).filter((word) => !STORAGE.includes(word) && word !== '--detach')
  cloud.supply.setRoom({ region: EAST }, 0)
  const moved = await w.tpi(roams('--region-wait', '1m', '--wait', '12m'), { env, given: hurriedBy(hurriedClock(30)) })
  expect([moved.code, moved.host.lines]).toEqual([75, expect.arrayContaining([expect.stringContaining(`moving to ${WEST}`)])])
  expect(wanted()).toEqual([[], [1]])
  const again = await w.tpi([...roams('--region-wait', '1m'), '--detach'], { env })
  const store = 's3://tpi-123456789012-us-east-1'
  expect([again.code, again.facts]).toEqual([0, expect.objectContaining({ attached: true, store })])
  cloud.supply.setRoom({ region: EAST }, Infinity)
  const destroy = ['destroy', 'roams', '--discard', '--cloud', 'aws', '--json', '--region', EAST]
  expect((await w.tpi(destroy, { env })).code).toBe(0)
  await settled()
  // This account's placement scores are better in the other region.
  const spot = await w.tpi([...roams('--spot', 'true'), '--detach'], { env })
  expect(spot.host.lines).toContainEqual(expect.stringContaining(`regions in this order, by their spot placement scores: ${WEST}, ${EAST}`))
  expect(wanted()).toEqual([[], [1]])
  expect((await w.tpi(destroy, { env })).code).toBe(0)
  await settled()
})
