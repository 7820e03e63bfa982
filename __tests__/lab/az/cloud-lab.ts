/** Cloud az in an emulated subscription whose machines are records. */
import { open } from '../../../src/clouds/az/index.ts'
import type { CloudLab } from '../../conformance/cloud.ts'
import { recordLab } from '../vm/record-lab.ts'
import type { Machine } from '../vm/simulation/types.ts'
import type { AzLab } from './lab.ts'

export async function cloudLab({ front, world, env }: AzLab, values: Readonly<Record<string, unknown>> = {}): Promise<CloudLab> {
  const up = (): Machine[] => [...world.fleet.machines.values()].filter(({ state, off }) => state === 'up' && !off)
  const machineOf = (name: string) => up().find(({ id }) => front.instances.byId(id)?.name === name)
  const store = { url: 'az://tpi0123456789/tpi' }
  const machine = 'Standard_D2s_v5,Standard_D2as_v5'
  return recordLab({ world, env, open, values, machine, store, machineOf, leave: (one) => leave(front, one) })
}

/** As a machine leaves: it first lowers the minimum of the autoscale setting. */
function leave({ instances, resources, autoscale, sets }: AzLab['front'], machine: Machine): void {
  const instance = instances.byId(machine.id)
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
