/** `spot: prefer` in an emulated account: two groups, of which the second comes by itself, on machines that boot and on machines that are records. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import { type World, world } from '../../setup/world.ts'
import { orMissing } from '../missing.ts'
import { MachineHost } from '../vm/host/machine-host.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

jest.setTimeout(300_000)

let host: MachineHost | undefined
let lab: AwsLab | undefined
let w: World
beforeAll(async () => {
  host = await orMissing('no machines of a cloud', async () => MachineHost.start())
  if (host) lab = await startAwsLab({ machines: host, times: { end: 1000, health: 500, parts: 500 } })
  w = await world()
  await shareRuntime(w.home)
})
afterAll(async () => {
  await host?.stop()
  await lab?.stop()
  await w?.end()
})

/** Milliseconds: a machine that boots, on a host that is busy. */
const PATIENCE = 150_000
const REGION = 'us-east-1'

const COMMON = 'task --cloud aws --machine m5.large,m6i.large --spot prefer --spot-wait 2m --workdir p --json'.split(' ')
const task = (name: string, script: string, ...more: string[]): string[] => [...COMMON, '--name', name, '--script', script, ...more]

const settled = async (before: readonly string[]): Promise<void> =>
  untilSame('the account is as before', async () => lab?.inventory(), before)

const sizes = (): unknown => lab?.world.groups(REGION).map(({ sizes: { wanted, max } }) => [wanted, max])

test('a slot that is interrupted twice goes on at the full price, in the place of the spot machine', async () => {
  if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
  await w.write('p/data', 'one\n')
  const script =
    'n=$(cat n 2>/dev/null || echo 0); echo from $n; while [ ! -e go ]; do n=$((n+1)); echo $n > n; [ $TPI_ATTEMPT = 3 ] && touch go; sleep 0.5; done; exit 3'
  const { env, world: cloud } = lab
  const before = await lab.inventory()
  const run = w.tpi(task('twice', script, '--checkpoint-interval', '1s'), { env })
  const printed = async (count: number): Promise<boolean> =>
    ((await w.tpi('logs twice', { env })).host.scriptText().match(/^from/gm)?.length ?? 0) >= count
  for (const round of [1, 2]) {
    await until(`its script runs for the ${round}. time`, async () => printed(round), PATIENCE)
    const machine = cloud.fleet.present(REGION).find(({ state, notice }) => state === 'up' && !notice)
    expect(machine?.market).toBe('spot')
    cloud.reclaim(machine!, 5000)
  }
  const ran = await run
  expect(ran).toMatchObject({ code: 3, facts: { outcome: 'script-failed', slots: [{ attempt: 3 }] } })
  const markets = [...cloud.fleet.machines.values()].map(({ market }) => market)
  expect(markets).toEqual(['spot', 'spot', 'on-demand'])
  expect((await w.tpi('destroy twice --discard --json', { env })).code).toBe(0)
  await settled(before)
})

test('without any spot machine nobody has to be there: the work is done at the full price, and both groups end with it', async () => {
  if (!lab || !host) return
  const { env, world: cloud } = lab
  cloud.supply.setRoom({ market: 'spot' }, 0)
  expect((await w.tpi(task('alone', 'echo done > r', '--output', 'r', '--detach'), { env })).code).toBe(0)
  expect(sizes()).toEqual([
    [1, 1],
    [0, 1],
  ])
  await cloud.clock.skip(115_000)
  expect(cloud.fleet.present(REGION)).toEqual([])
  await cloud.clock.skip(10_000)
  await until(
    'both groups have ended by themselves',
    () =>
      isDeepStrictEqual(sizes(), [
        [0, 0],
        [0, 0],
      ]),
    PATIENCE,
  )
  expect((await w.tpi('collect alone --json', { env })).code).toBe(0)
  expect(await w.read('p/r')).toBe('done\n')
  await until('nothing is left', async () => cloud.groups(REGION).length === 0 && cloud.fleet.present(REGION).length === 0, 30_000)
})
