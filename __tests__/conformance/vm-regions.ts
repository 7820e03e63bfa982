/** A task in several regions of a cloud whose machines are records: it moves to a region that has room, with the same name and the same storage. */
import { expect, jest, test } from '@jest/globals'
import type { VmLab } from '../lab/vm/labs.ts'
import { onLab } from '../lab/vm/on-lab.ts'
import type { RunningLab } from '../lab/vm/running-lab.ts'
import { hurriedBy, hurriedClock } from '../setup/hurried-clock.ts'
import { until, untilSame } from '../setup/wait.ts'
import type { World } from '../setup/world.ts'

/** Registers the test; called by a test file of each cloud. `next`: another region of the account. */
export function regionsOf(vm: VmLab, next: string): void {
  jest.setTimeout(300_000)
  let lab: RunningLab | undefined
  let w: World
  onLab(
    async () => vm.start(),
    (ground) => {
      ;({ lab, w } = ground)
    },
  )

  const words = (name: string, ...more: readonly string[]): string[] =>
    `task --cloud ${vm.cloud} --machine ${vm.types} --region ${vm.region},${next} --region-wait 1m --name ${name} --workdir p --json`
      .split(' ')
      .concat('--script', 'true', ...more)

  test('where the first region has no room the whole run goes on in the next, by the rights that we print; it keeps its storage, is found there, and nothing of it stays in either', async () => {
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    const { env, world: cloud } = lab
    const does = async (given: string | readonly string[]): Promise<unknown> => {
      const { code, facts, host } = await w.tpi(given, { env })
      expect([given, code, code === 0 ? '' : host.lines]).toEqual([given, 0, ''])
      return facts
    }
    const wanted = (): unknown => [vm.region, next].map((region) => cloud.groups(region).map(({ sizes }) => sizes.wanted))
    // The storage in the first region is made once, and stays.
    const { store } = (await does(words('first', '--detach'))) as { readonly store: string }
    await does(['destroy', 'first', '--discard', '--cloud', vm.cloud, '--json'])
    await until('nothing of its machine is left', () => [...cloud.fleet.parts.values()].every(({ goesWithIt }) => !goesWithIt))
    const before = await lab.inventory()
    await lab.byRights(async () => {
      cloud.supply.setRoom({ region: vm.region }, 0)
      const moved = await w.tpi(words('roams', '--wait', '12m'), { env, given: hurriedBy(hurriedClock(30)) })
      expect([moved.code, moved.host.lines]).toEqual([75, expect.arrayContaining([expect.stringContaining(`moving to ${next}`)])])
      await until('its machine is up there', () => cloud.fleet.present(next).some(({ state }) => state === 'up'))
      expect(wanted()).toEqual([[], [1]])
      expect(await does(words('roams', '--detach'))).toMatchObject({ attached: true, store })
      cloud.supply.setRoom({ region: vm.region }, Infinity)
      expect(await does(`list --cloud ${vm.cloud} --json`)).toMatchObject([{ name: 'roams' }])
      await does(['destroy', 'roams', '--discard', '--cloud', vm.cloud, '--region', vm.region, '--json'])
    })
    await untilSame('both regions are as before', async () => lab?.inventory(), before, 60_000)
  })
}
