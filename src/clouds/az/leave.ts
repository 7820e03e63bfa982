/**
 * Leaving the group. If a machine lowered the size, Azure would choose which machine to remove. So it lowers only the minimum that the group
 * keeps, to the number of open slots, and then removes itself: if it only shut down, it would still be billed.
 * https://learn.microsoft.com/rest/api/monitor/autoscale-settings/update ; https://learn.microsoft.com/rest/api/compute/virtual-machines/delete
 */
import { pause } from '../../lib/clock.ts'
import { line, object } from '../../lib/shape.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { Leaving, OpenSlots, OpenWork } from '../../wire/machine-side.ts'
import { parseShape } from '../../wire/parse.ts'
import { eventsOf, isOf, startEvents } from './imds.ts'
import { answersAtAll, Manager } from './machine-call.ts'
import { begun, ended, isEnded, keeping, leastOf } from './profiles.ts'
import { isMember, setsOf } from './spot-standby.ts'

/** Milliseconds. After that, the machine is switched off, and costs as much as one that works. */
const PATIENCE = 300_000
/** Milliseconds for the setting, which comes first: no more, because a machine that stays is worse than a group that keeps too many for a while. */
const LOWERING = 60_000
/** Milliseconds between two looks at the progress of a removal. */
const LOOK = 1000
/**
 * Milliseconds for an ordinary removal, before it is forced: that may leave network interfaces behind.
 * https://github.com/MicrosoftDocs/azure-docs/issues/117342
 */
const GENTLE = 120_000
/** So many looks in a row must say that this machine does not exist, because one answer may come from an outdated copy. */
const SURE = 3
/** Milliseconds until a new role is known everywhere: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting */
const PROPAGATION = 1_800_000

const machine = object<{ readonly properties: { readonly provisioningState: string } }>({
  properties: object({ provisioningState: line(64) }),
})

/**
 * Idempotent: a machine or a setting that does not exist, and a group that wants no machines, are fine. Throws if it could not leave. Lets an event
 * begin that concerns only this machine. `look`: milliseconds between two looks at the progress; `lowering`: for the setting.
 */
export async function remove(
  config: MachineConfig,
  why: Leaving,
  open?: OpenSlots,
  { look = LOOK, lowering = LOWERING }: { readonly look?: number; readonly lowering?: number } = {},
): Promise<void> {
  const within = (patience: number): Manager => new Manager(config, { patience, failure: 'could not leave the group' })
  let failure: unknown
  if (why === 'done')
    await lower(within(lowering), config, open).catch((error: unknown) => {
      failure = error
    })
  // Whatever became of the setting, the removal has all of its own time.
  await deleteSelf(within(PATIENCE), config, look)
  if (failure !== undefined) throw failure
}

/**
 * Proves that this machine can reach the API by which it leaves, and may read there: otherwise its work would never end. Whether it may make changes
 * cannot be tested without a change, but one role allows both. `patience`: milliseconds for a role that was just assigned.
 */
export async function answers(config: MachineConfig, patience = PROPAGATION): Promise<void> {
  await answersAtAll(config)
  const manager = new Manager(config, { patience, failure: 'this machine could not leave its group' })
  await Promise.all([manager.call('GET', manager.setting(setsOf(config).own)), manager.call('GET', manager.machine)])
}

/** Lets the events begin that concern only this machine. */
async function release(config: MachineConfig): Promise<void> {
  const own = (await eventsOf(config)).filter((event) => event.EventStatus === 'Scheduled' && isOf(config, event))
  const ids = own.filter(({ Resources }) => Resources.length === 1).map(({ EventId }) => EventId)
  if (ids.length > 0) await startEvents(config, ids)
}

/**
 * Lowers the minimum of this machine's set to the number of slots that are left for it: those that its machines hold, and those that nobody
 * holds. A lower minimum stays as it is, because slots do not open again; so does a setting that somebody has ended. Once all work is done, this
 * machine ends both sets, the other one first, so that it starts no more machines.
 */
async function lower(manager: Manager, config: MachineConfig, open: OpenSlots | undefined): Promise<void> {
  const { own, other } = setsOf(config)
  const left = counting(open)
  if (other !== undefined && (await left())?.open === 0)
    await manager.change(other, async (profiles) => (isEnded(profiles) ? undefined : ended(profiles)))
  await manager.change(own, async (found, now) => {
    const profiles = begun(found, now)
    const work = await left()
    if (work === undefined || isEnded(profiles)) return undefined
    if (work.open === 0) return ended(profiles)
    const least = leastOf(profiles)
    const wanted = work.open - (other === undefined ? 0 : work.holders.filter((holder) => isMember(other, holder)).length)
    return least === undefined || least <= wanted ? undefined : keeping(profiles, wanted)
  })
}

/**
 * How much work is open. After a stop, slots stay open while their machines save. But if the stop came after the first look, and no machine holds a
 * slot, it may have ended the group, and this machine may have overwritten that: then nothing counts as open, so that it ends the group again.
 */
function counting(open: OpenSlots | undefined): () => Promise<OpenWork | undefined> {
  let ran = false
  return async () => {
    const work = await open?.()
    ran ||= work?.stopped === false
    return work?.stopped && ran && work.holders.length === 0 ? { ...work, open: 0 } : work
  }
}

/** Waits until the machine is gone, so this process usually does not live to see the end. If the removal fails, it is tried again, by force. */
async function deleteSelf(manager: Manager, config: MachineConfig, pace: number): Promise<void> {
  for (let force = ''; performance.now() < manager.end; force = '&forceDeletion=true') {
    await manager.call('DELETE', `${manager.machine}${force}`)
    // Not earlier: the event would evict the machine before it is removed.
    if (force === '') await release(config).catch(() => undefined)
    if (await isGone(manager, Math.min(manager.end, performance.now() + GENTLE), pace)) return
  }
  throw new Error('could not leave the group: removing this machine has no effect')
}

/** Waits until the machine is gone. `false`: its removal has stopped, or is not over at `end`. */
async function isGone(manager: Manager, end: number, pace: number): Promise<boolean> {
  for (let absent = 0; performance.now() < end; ) {
    await pause(pace)
    const found = await manager.call('GET', manager.machine)
    if (found && parseShape(machine, found.text).properties.provisioningState !== 'Deleting') return false
    absent = found ? 0 : absent + 1
    if (absent === SURE) return true
  }
  return false
}
