/** The runs that a command means: one that it names, which may be gone, or all of its own. */
import { InputError } from '../../core/errors.ts'
import { deploymentId, isId, isRunId, type Owner } from '../../core/identity.ts'
import type { Deployment, SlotRead } from '../../engine/deployment.ts'
import { openSighting, pick, pickHistory, type Sighting, sightings } from '../../engine/find.ts'
import { onlyStored } from '../../engine/find-by-record.ts'
import { type Past, unreadWords } from '../../engine/history.ts'
import { patiently } from '../../engine/outage.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { VerbContext } from './context.ts'
import { isOfOtherRepository, ownedBy } from './ownership.ts'
import type { Losses } from './partial-failures.ts'

export type Meant = { readonly alive: Deployment } | { readonly gone: Past }

/** The run called NAME: one that exists, one that was never completely made, or what the history knows about one that is gone. */
export async function meant(context: VerbContext, name: string): Promise<Meant> {
  const past = isRunId(name) ? await pickHistory(context.engine.home, name) : undefined
  if (past) return { gone: past }
  const sighting = await sightingOf(context, name, await sightings(await context.clouds()))
  if (sighting) return { alive: await openSighting(sighting, context.access) }
  const stored = await onlyStored(
    await context.clouds(),
    context.access,
    [isId(name) ? name : deploymentId(context.owner, name)],
    await context.storage(),
  )
  if (stored) return { alive: stored }
  let unread = 0
  const gone = await pickHistory(context.engine.home, name, (count) => (unread = count))
  if (gone) return { gone }
  if (unread > 0) context.host.warn(unreadWords(unread))
  throw new InputError(`name: there is no run "${name}"`, { hint: '`tpi list --all` shows all runs, those that are gone too' })
}

/**
 * The runs that a command may mean by this name or id: the owner's own run first, then those of others, but in CI none of another repository, which may
 * use the same account and the same names. An id is always enough.
 */
export function inReach(owner: Owner, name: string, all: readonly Sighting[]): readonly Sighting[] {
  if (isId(name)) return all
  const own = all.filter(({ found }) => found.tags.id === deploymentId(owner, name))
  return own.length > 0 ? own : all.filter(({ found }) => !isOfOtherRepository(owner, found.tags.origin))
}

/** The one of these that the command means by this name or id; `undefined`: none. */
export async function sightingOf(context: VerbContext, name: string, all: readonly Sighting[]): Promise<Sighting | undefined> {
  return pick(name, inReach(context.owner, name, all), async () => context.storage())
}

/** Like `meant`, but only a run that exists. */
export async function meantAlive(context: VerbContext): Promise<Deployment> {
  const found = await meant(context, nameOf(context))
  if ('alive' in found) return found.alive
  throw new InputError(`name: run "${found.gone.name}" is gone; it ended as ${found.gone.outcome} and everything was given back`, {
    hint: `\`tpi status ${found.gone.name}\` shows how it went`,
  })
}

/** The run that the command names or, with `--mine`, all runs of this job. */
export async function chosenRuns(context: VerbContext, losses: Losses): Promise<Deployment[]> {
  if (!context.values.mine) return [await patiently(context.engine, async () => meantAlive(context), context.signals.first)]
  const own = (await losses.seen()).filter(({ found }) => ownedBy(context.owner, found.tags.origin))
  return losses.read(own, async (d) => d)
}

export function nameOf(context: VerbContext): string {
  const { name } = context.values
  if (!name) throw new InputError('name: give the name or the id of a run')
  return name
}

/** The value of `slot`. Throws if the run has no such slot, as for `tpi logs --slot 7` of a task with three. */
export function checkedSlot(slot: number | undefined, count: number): number | undefined {
  if (slot !== undefined && slot >= count)
    throw new InputError(`slot: there is no slot ${slot}`, {
      hint: count === 1 ? 'it has only slot 0' : `allowed: 0 to ${count - 1}`,
    })
  return slot
}

/** For a verb that needs a machine at work on this slot. */
export function slotEnded(
  verb: string,
  { name }: Deployment,
  { index, reason, state }: SlotRecord,
  slots: readonly SlotRead[],
): InputError {
  const open = slots.find(({ record }) => !isTerminal(record.state))?.record.index
  const hint = open === undefined ? `\`tpi logs ${name}\` shows its log` : `slot ${open} has not: give \`slot: ${open}\``
  return new InputError(`${verb}: slot ${index} of "${name}" has ended: ${reason ?? state}`, { hint })
}
