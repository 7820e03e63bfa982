/**
 * The twin of a spot group (`spot: prefer`): a group of machines at the full price that is empty until its autoscaler starts it (`standby-schedule.ts`). Whoever holds the
 * work puts that off; once nobody does, Google starts it, even if every command and every machine is gone. What is here runs on machines.
 */
import type { GoogleMetadata } from '../../lib/google/metadata.ts'
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
      // If it is gone, both groups were ended, and they will not come.
      if (now !== undefined) await group.autoscale(startsIn(wait, twin, now))
    },
    async rouse() {
      if (isOne) return false
      const tried = 'start on-demand machines'
      const group = others(tried)
      const now = await group.now()
      const soon = now === undefined ? undefined : startsSoon(twin, now)
      if (now !== undefined && !soon) return false
      // First the date, so that they come even if this machine dies meanwhile; then their number: two groups that are seen to want none
      // end a run.
      if (!soon || !(await group.autoscale(soon))) throw new Error(`could not ${tried}: the group has been ended`)
      await others(tried).resize(count)
      return true
    },
  }
}

/** Of the twin, whose autoscaler may still ask for all of its machines: none comes in the place of one that leaves. */
export async function putOffRefill(config: MachineConfig, metadata: GoogleMetadata): Promise<void> {
  const standby = standbyOf(config, metadata)
  // Where it fails, one comes, finds nothing to do, and leaves as well.
  if (await standby?.isOne()) await standby?.hold().catch(() => undefined)
}

/** All work is done: neither group wants a machine any more, and nothing starts one. */
export async function endAll(config: MachineConfig, metadata: GoogleMetadata): Promise<void> {
  const { group = '', twin = '', first = group } = config.side ?? {}
  const named = (name: string): Group => new Group(config, metadata, { name, patience: PATIENCE, tried: 'end the groups' })
  // If that fails, each machine that comes leaves by itself, and none outlives the deadline.
  const fine = (): undefined => undefined
  await named(twin).endAutoscaling().catch(fine)
  await Promise.all([first, twin].map(async (name) => named(name).resize(0).catch(fine)))
}
