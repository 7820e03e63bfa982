/**
 * `spot: prefer` on machines that boot: two groups, of which the second starts by itself. `vm-control` tests what needs no booting
 * machines (its schedule, a stop, the deadline).
 */
import { expect, jest, test } from '@jest/globals'
import type { MachineHost } from '../lab/vm/host/machine-host.ts'
import type { VmLab } from '../lab/vm/labs.ts'
import { onMachines } from '../lab/vm/on-lab.ts'
import type { RunningLab } from '../lab/vm/running-lab.ts'
import { until, untilSame } from '../setup/wait.ts'
import type { World } from '../setup/world.ts'

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 150_000

/** Registers the tests; called by a test file of each cloud. */
export function twinOf(vm: VmLab): void {
  jest.setTimeout(300_000)
  let host: MachineHost | undefined
  let lab: RunningLab | undefined
  let w: World
  onMachines(
    async (machines) => vm.start(machines),
    (ground) => {
      ;({ host, lab, w } = ground)
    },
  )

  const task = (name: string, script: string, ...more: string[]): string[] =>
    `task --cloud ${vm.cloud} --machine ${vm.types} --spot prefer --spot-wait 10m --workdir p --json --name ${name}`
      .split(' ')
      .concat('--script', script, ...more)

  test('a slot that is interrupted twice goes on at full price, in the place of the spot machine', async () => {
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
      const machine = cloud.fleet.present(vm.region).find(({ state, notice }) => state === 'up' && !notice)
      expect(machine?.market).toBe('spot')
      cloud.reclaim(machine!, vm.notice * 1000)
    }
    const ran = await run
    expect(ran).toMatchObject({ code: 3, facts: { outcome: 'script-failed', slots: [{ attempt: 3 }] } })
    const markets = [...cloud.fleet.machines.values()].map(({ market }) => market)
    expect(markets).toEqual(['spot', 'spot', 'on-demand'])
    expect((await w.tpi('destroy twice --discard --json', { env })).code).toBe(0)
    await untilSame('the account is as before', async () => lab?.inventory(), before)
  })

  test('without any spot machine nobody has to be there: the work is done at full price, and both groups end with it', async () => {
    if (!lab || !host) return
    const { env, world: cloud } = lab
    cloud.supply.setRoom({ market: 'spot' }, 0)
    expect((await w.tpi(task('alone', 'echo done > r', '--output', 'r', '--detach'), { env })).code).toBe(0)
    await cloud.clock.skip(9 * 60_000)
    expect(cloud.fleet.present(vm.region)).toEqual([])
    await cloud.clock.skip(vm.minutes ? 130_000 : 70_000)
    await until('its machine is one at full price', () => cloud.fleet.present(vm.region).some(({ market }) => market === 'on-demand'))
    const wanted = (): number => cloud.groups(vm.region).reduce((sum, { sizes }) => sum + sizes.wanted, 0)
    await until('both groups have ended by themselves', () => wanted() === 0 && cloud.fleet.present(vm.region).length === 0, PATIENCE)
    // Permanently, even if there is room for spot machines again.
    cloud.supply.setRoom({ market: 'spot' }, Infinity)
    await cloud.clock.skip(60_000)
    expect([wanted(), cloud.fleet.present(vm.region)]).toEqual([0, []])
    expect((await w.tpi('collect alone --json', { env })).code).toBe(0)
    expect(await w.read('p/r')).toBe('done\n')
    await until('nothing is left', async () => cloud.groups(vm.region).length === 0 && cloud.fleet.present(vm.region).length === 0, 30_000)
  })
}
