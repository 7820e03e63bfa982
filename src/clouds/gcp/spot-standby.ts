/**
 * The twin of a spot group (`spot: prefer`): a group at full price that stays empty until its autoscaler starts it
 * (`standby-schedule.ts`). The machine that holds the work keeps postponing that; if none does any more, Google starts the twin, even if
 * every command and every machine is gone. This code runs on machines.
 */
import type { GoogleMetadata } from '../../vendors/google/metadata.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { Standby } from '../../wire/machine-side.ts'
import { PATIENCE, twinOf } from '../vm/spot-standby.ts'
import { Group } from './machine-call.ts'
import { startsIn, startsSoon } from './standby-schedule.ts'

export function standbyOf(config: MachineConfig, metadata: GoogleMetadata): Standby | undefined {
  const twin = twinOf(config)
  if (!twin) return undefined
  const { name, count, wait } = twin
  const isOne = config.side?.['group'] === name
  const others = (tried: string): Group => new Group(config, metadata, { name, patience: PATIENCE, tried })
  return {
    wait,
    isOne: async () => isOne,
    async hold() {
      const group = others('put off the on-demand machines')
      const now = await group.now()
      // If it is gone, both groups were ended, and the machines will not come.
      if (now !== undefined) await group.autoscale(startsIn(wait, twin, now))
    },
    async rouse() {
      if (isOne) return false
      const tried = 'start on-demand machines'
      const group = others(tried)
      const now = await group.now()
      const soon = now === undefined ? undefined : startsSoon(twin, now)
      if (now !== undefined && !soon) return false
      // The date comes first, so that machines start even if this one dies in between; then the size, because two groups that want no machines
      // end a run.
      if (!soon || !(await group.autoscale(soon))) throw new Error(`could not ${tried}: the group has been ended`)
      await others(tried).resize(count)
      return true
    },
  }
}

/** For a machine of the twin: its autoscaler may still want all machines, so it is postponed, and a machine that leaves is not replaced. */
export async function putOffRefill(config: MachineConfig, metadata: GoogleMetadata): Promise<void> {
  const standby = standbyOf(config, metadata)
  // If it fails, a replacement starts, finds nothing to do, and leaves as well.
  if (await standby?.isOne()) await standby?.hold().catch(() => undefined)
}

/** All work is done: both groups are scaled to 0, and nothing starts machines any more. */
export async function endAll(config: MachineConfig, metadata: GoogleMetadata): Promise<void> {
  const { group = '', twin = '', first = group } = config.side ?? {}
  const named = (name: string): Group => new Group(config, metadata, { name, patience: PATIENCE, tried: 'end the groups' })
  // If that fails, each machine that comes leaves by itself, and none outlives the deadline.
  const fine = (): undefined => undefined
  await named(twin).endAutoscaling().catch(fine)
  await Promise.all([first, twin].map(async (name) => named(name).resize(0).catch(fine)))
}
