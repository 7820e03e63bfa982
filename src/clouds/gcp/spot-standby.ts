/**
 * What machines do about the twin of a spot group (`vm/spot-standby.ts` says what that is): its autoscaler has a date on which it starts
 * (`standby-schedule.ts`).
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
  const isOne = isOfTwin(config)
  const twinGroup = (tried: string): Group => new Group(config, metadata, { name, patience: PATIENCE, tried })
  return {
    wait,
    isOne: async () => isOne,
    async hold() {
      const group = twinGroup('put off the on-demand machines')
      const now = await group.now()
      // Without the group, both groups were ended, and nothing will start.
      if (now !== undefined) await group.autoscale(startsIn(wait, twin, now))
    },
    async rouse() {
      if (isOne) return false
      const tried = 'start on-demand machines'
      const group = twinGroup(tried)
      const now = await group.now()
      const soon = now === undefined ? undefined : startsSoon(twin, now)
      if (now !== undefined && !soon) return false
      // First the date: machines then start even if this one dies in between. Then the size: if both groups wanted no machines, the run would end.
      if (!soon || !(await group.autoscale(soon))) throw new Error(`could not ${tried}: the group has been ended`)
      await twinGroup(tried).resize(count)
      return true
    },
  }
}

export const isOfTwin = (config: MachineConfig): boolean => config.side?.['group'] === twinOf(config)?.name

/** Before a machine of the twin leaves: its autoscaler may still want all machines and would replace it, so the date is postponed. */
export async function putOffRefill(config: MachineConfig, metadata: GoogleMetadata): Promise<void> {
  const standby = standbyOf(config, metadata)
  // If it fails, a replacement starts, finds nothing to do, and leaves as well.
  if (await standby?.isOne()) await standby?.hold().catch(() => undefined)
}

/** Once all work is done: scales both groups to 0, so that nothing starts machines any more. */
export async function endAll(config: MachineConfig, metadata: GoogleMetadata): Promise<void> {
  const { group = '', twin = '', first = group } = config.side ?? {}
  const named = (name: string): Group => new Group(config, metadata, { name, patience: PATIENCE, tried: 'end the groups' })
  // It may fail: a machine that starts then leaves by itself, and none outlives the deadline.
  const fine = (): undefined => undefined
  await named(twin).endAutoscaling().catch(fine)
  await Promise.all([first, twin].map(async (name) => named(name).resize(0).catch(fine)))
}
