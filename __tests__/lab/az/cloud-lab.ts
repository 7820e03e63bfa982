/** Cloud az in an emulated subscription, whose machines are records that do what a test says. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from '../../../src/clouds/az/index.ts'
import type { Cloud } from '../../../src/core/cloud.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { CloudLab, Play } from '../../conformance/cloud.ts'
import { destroy } from '../../conformance/cloud.ts'
import type { Machine } from '../vm/simulation/types.ts'
import { specOf } from '../vm/spec.ts'
import type { AzLab } from './lab.ts'

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

export async function cloudLab({ front, world, env }: AzLab, values: Readonly<Record<string, unknown>> = {}): Promise<CloudLab> {
  const home = mkdtempSync(join(tmpdir(), 'tpi-az-'))
  let play: Play = 'idle'
  let open_ = true
  const reopen = async (signal = new AbortController().signal): Promise<Cloud> =>
    open({ env, home, values, log, clock: systemClock, signal, agent: async () => ({ digest: 'a'.repeat(64), bytes: new Uint8Array() }) })
  const cloud = await reopen()
  // What an agent would do on a machine that has come up.
  const act = (machine: Machine): void => {
    if (!open_ || machine.state !== 'up') return
    if (play.startsWith('exit')) world.lose(machine, 'died')
  }
  world.listen(act)
  const machines = (): Machine[] => [...world.fleet.machines.values()].filter(({ state }) => state === 'up')
  const called = (name: string): Machine | undefined => machines().find((one) => front.instances.byId(one.id)?.name === name)
  return {
    cloud,
    reopen,
    spec: (tags) => specOf('Standard_D2s_v5,Standard_D2as_v5', { url: 'az://tpi0123456789/tpi' }, tags),
    play: async (request) => {
      play = request
    },
    finish: async (index) => leave(front, machines()[index] ?? machines()[0]),
    async kill(name) {
      const machine = called(name)
      if (machine) world.lose(machine, 'died')
    },
    lives: async (name) => called(name) !== undefined,
    async close() {
      open_ = false
      for (const { tags } of await cloud.list()) await destroy(cloud, tags)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** As a machine does: the least that is kept is lowered first. */
function leave({ instances, resources, autoscale, sets }: AzLab['front'], machine: Machine | undefined): void {
  const instance = machine && instances.byId(machine.id)
  if (!instance) return
  const setting = resources.ofType('Microsoft.Insights/autoscalesettings', instance.set.group)[0]
  const properties = setting?.fields['properties'] as { readonly profiles: readonly Profile[] } | undefined
  if (setting && properties) {
    const [open_, ...rest] = properties.profiles as readonly [Profile, ...Profile[]]
    const less = String(Math.max(0, Number(open_.capacity.minimum) - 1))
    autoscale.change(setting, {
      properties: { ...properties, profiles: [{ ...open_, capacity: { ...open_.capacity, minimum: less, default: less } }, ...rest] },
    })
  }
  sets.removeMembers(instance.set, [instance.name])
}

interface Profile {
  readonly capacity: { readonly minimum: string; readonly maximum: string; readonly default: string }
}
