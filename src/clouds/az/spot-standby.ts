/**
 * The twin of a spot set (`spot: prefer`): a set at full price that stays empty until a window of its own autoscale setting begins. The
 * machine that holds the work keeps postponing that; if none does any more, Azure starts the twin, even if every command and every machine
 * is gone. This code runs on machines.
 */
import type { MachineConfig } from '../../wire/machine.ts'
import type { Standby } from '../../wire/machine-side.ts'
import { PATIENCE, twinOf } from '../vm/spot-standby.ts'
import { type Change, Manager } from './machine-call.ts'
import { isEnded, keeping, keptBy, leastOf, putOff, roused, waits } from './profiles.ts'

/** Whether a machine belongs to the set: its name is the set's name, `_` and eight more characters. */
export const isMember = (set: string, machine: string): boolean => machine.toLowerCase().startsWith(`${set.toLowerCase()}_`)

/** Names of sets: this machine's own set, and the other one if there are two. */
export function setsOf({ machine, side }: MachineConfig): { readonly own: string; readonly other?: string } {
  const { group = '', twin } = side ?? {}
  if (twin === undefined) return { own: group }
  return isMember(twin, machine) ? { own: twin, other: group } : { own: group, other: twin }
}

/** Milliseconds by which two equal start times may differ: the vendor's have whole seconds. */
const SAME = 1000

export function standbyOf(config: MachineConfig): Standby | undefined {
  const twin = twinOf(config)
  if (!twin) return undefined
  const { name, count, wait } = twin
  const { own } = setsOf(config)
  const change = async (set: string, tried: string, how: Change): Promise<void> => {
    const manager = new Manager(config, { patience: PATIENCE, failure: `could not ${tried}` })
    if (!(await manager.change(set, how))) throw new Error(`could not ${tried}: they are gone`)
  }
  return {
    wait,
    isOne: async () => own === name,
    async hold() {
      await change(name, 'put off the on-demand machines', async (profiles, now) =>
        isEnded(profiles) || waits(profiles, now + wait - SAME) ? undefined : putOff(profiles, twin, wait, now),
      )
    },
    async rouse() {
      if (own === name) return false
      await change(name, 'start on-demand machines', async (profiles, now) => {
        if (isEnded(profiles)) throw new Error('could not start on-demand machines: the group has been ended')
        return keptBy(profiles, now) >= count ? undefined : roused(profiles, twin, now)
      })
      // So that no spot machine replaces this one. If it fails, one starts and finds nothing to do.
      await change(own, 'have no spot machine follow', oneLess()).catch(() => undefined)
      return true
    },
  }
}

/** Lowers the minimum by one, and only once, however often the setting is read and written. */
function oneLess(): Change {
  let wanted: number | undefined
  return async (profiles) => {
    const least = leastOf(profiles)
    if (least === undefined) return undefined
    wanted ??= Math.max(0, least - 1)
    return least <= wanted ? undefined : keeping(profiles, wanted)
  }
}
