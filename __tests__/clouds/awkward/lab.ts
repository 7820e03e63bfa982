/** The awkward cloud in the suite of all clouds: throttled calls are repeated, as the engine does, and its hours pass at once. */
import type { Cloud, MachineSpec } from '../../../src/core/cloud.ts'
import type { CloudLab, Play } from '../../conformance/cloud.ts'
import { specOf } from '../../lab/vm/spec.ts'
import { Account, REGIONS } from './account.ts'
import { awkwardCloud } from './cloud.ts'
import { leave } from './machine.ts'

const DAY = 24 * 3_600_000

export async function awkwardLab(): Promise<CloudLab> {
  const account = new Account()
  const { world, clock } = account
  const time = { now: () => clock.now(), pass: async (milliseconds: number) => clock.skip(milliseconds) }
  let play: Play = 'idle'
  world.listen((machine) => {
    if (machine.state !== 'up') return
    if (play === 'exit 75') leave(account, machine.id, 'replace')
    else if (play.startsWith('exit')) world.lose(machine, 'died')
  })
  const reopen = async (signal?: AbortSignal): Promise<Cloud> => awkwardCloud(account, REGIONS[0], { signal, pause: time.pass })
  const machines = (): string[] => [...world.fleet.machines.values()].filter(({ state }) => state === 'up').map(({ id }) => id)
  return {
    cloud: await reopen(),
    reopen,
    time,
    spec(tags): MachineSpec {
      const lifetime = { deadline: new Date(clock.now() + DAY).toISOString(), grace: 30, reserve: 60, retention: 3600 }
      return specOf('big', { url: 'memory://' }, { createdAt: new Date(clock.now()).toISOString(), lifetime, ...tags })
    },
    play: async (wanted) => void (play = wanted),
    async finish(index) {
      const machine = machines()[index] ?? machines()[0]
      if (machine !== undefined) leave(account, machine, 'done')
    },
    async kill(id) {
      const machine = world.machine(id)
      if (machine) world.lose(machine, 'died')
    },
    lives: async (id) => world.machine(id)?.state === 'up',
    close: async () => world.stop(),
  }
}
