/** The awkward cloud under the suite of all clouds: its calls are repeated where they are throttled, as the engine repeats them, and its hours pass at once. */
import type { Cloud, MachineSpec } from '../../../src/core/cloud.ts'
import type { Resource } from '../../../src/core/resource.ts'
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
  const reopen = async (signal?: AbortSignal): Promise<Cloud> => repeated(awkwardCloud(account, REGIONS[0], signal), time.pass)
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

type Pass = (milliseconds: number) => Promise<void>

/** What was throttled is asked again after a second. */
function repeated(cloud: Cloud, pass: Pass): Cloud {
  const again = async <T>(act: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await act()
      } catch (error) {
        if (!(error as { retryable?: boolean }).retryable) throw error
        await pass(1000)
      }
  }
  const resources = (stages: Resource[][]): Resource[][] =>
    stages.map((stage) =>
      stage.map((one) => ({
        ...one,
        ensure: async () => again(async () => one.ensure()),
        remove: async () => again(async () => one.remove()),
      })),
    )
  return {
    ...cloud,
    whoami: async () => again(async () => cloud.whoami()),
    blueprint: async (spec) => resources(await again(async () => cloud.blueprint(spec))),
    leftovers: async (of) => resources(await again(async () => cloud.leftovers(of))),
    scale: async (of, count) => again(async () => cloud.scale(of, count)),
    observe: async (of) => again(async () => cloud.observe(of)),
    list: async (lost, id) => again(async () => cloud.list(lost, id)),
  }
}
