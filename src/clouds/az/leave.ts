/**
 * Out of the group. A size that a sibling wanted lowered would let the vendor choose whom it takes, so there is no such thing: what is lowered is the
 * least that the group keeps, to the number of open slots, and the machine removes itself. Shut down alone, it would be paid for as before.
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

/** Milliseconds: a machine that cannot leave is switched off, which costs as much as one that works. */
const PATIENCE = 300_000
/** Milliseconds between two looks at whether a removal goes on. */
const LOOK = 1000
/** Milliseconds for an ordinary removal. One by force may leave network cards: https://github.com/MicrosoftDocs/azure-docs/issues/117342 */
const GENTLE = 120_000
/** So many looks in a row have to say that this machine, which runs, is not there: answers of the vendor may come from a copy that lags. */
const SURE = 3
/** Milliseconds until a new role is known everywhere: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting */
const PROPAGATION = 1_800_000

const machine = object<{ readonly properties: { readonly provisioningState: string } }>({
  properties: object({ provisioningState: line(64) }),
})

/**
 * Idempotent: a machine or a setting that is not there, and a group that wants none, are fine. Throws when it could not be done. An event that
 * nobody else has to get ready for may then begin. `look`: milliseconds between two looks at whether it goes on.
 */
export async function remove(config: MachineConfig, why: Leaving, open?: OpenSlots, look = LOOK): Promise<void> {
  const manager = new Manager(config, { patience: PATIENCE, failure: 'could not leave the group' })
  // One that is billed on is worse than a group that keeps too many for a while.
  const kept = why === 'done' ? await lower(manager, config, open).catch((error: unknown) => error) : undefined
  await deleteSelf(manager, config, look)
  if (kept instanceof Error) throw kept
}

/**
 * Proves that the API by which this machine leaves can be reached, and lets it in: where it does not, its work would never end. What it may change
 * cannot be tried without a change; the role that may read both may do that too. `patience`: milliseconds for a role that was only just given.
 */
export async function answers(config: MachineConfig, patience = PROPAGATION): Promise<void> {
  await answersAtAll(config)
  const manager = new Manager(config, { patience, failure: 'this machine could not leave its group' })
  await Promise.all([manager.call('GET', manager.setting(setsOf(config).own)), manager.call('GET', manager.machine)])
}

async function release(config: MachineConfig): Promise<void> {
  const own = (await eventsOf(config)).filter((event) => event.EventStatus === 'Scheduled' && isOf(config, event))
  const ids = own.filter(({ Resources }) => Resources.length === 1).map(({ EventId }) => EventId)
  if (ids.length > 0) await startEvents(config, ids)
}

/**
 * Its own set keeps no more than there are slots for it: those that its machines hold, and those that nobody holds. A least that is lower already
 * stays, since slots do not open again. Without a window somebody has ended the group; once all work is done, this machine ends it, and the other
 * set first: what that still wants would come for nothing.
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

/** At a stop too siblings may save for as long as their grace lasts. One that came since the first look may have ended the group, and we have written over that. */
function counting(open: OpenSlots | undefined): () => Promise<OpenWork | undefined> {
  let ran = false
  return async () => {
    const work = await open?.()
    ran ||= work?.stopped === false
    return work?.stopped && ran ? { ...work, open: 0 } : work
  }
}

/** Until nothing is left of it, which nobody here lives to see; an operation that comes to nothing is begun again, by force then. */
async function deleteSelf(manager: Manager, config: MachineConfig, pace: number): Promise<void> {
  for (let force = ''; performance.now() < manager.end; force = '&forceDeletion=true') {
    await manager.call('DELETE', `${manager.machine}${force}`)
    // Released before that, it would be evicted instead of removed.
    if (force === '') await release(config).catch(() => undefined)
    if (await isGone(manager, Math.min(manager.end, performance.now() + GENTLE), pace)) return
  }
  throw new Error('could not leave the group: removing this machine has no effect')
}

/** `false`: its removal does not go on, or not until `end`. */
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
