/** A deployment that another command removes while this one is using it: this one ends with what is recorded about it. */
import { RemoteError } from '../../core/errors.ts'
import { removalOf } from '../../wire/incarnation.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, readCollected } from '../deployment.ts'
import { pickHistory, readCurrent } from '../find.ts'
import { asStopped, type Status, statusOf } from '../follow/status.ts'

/** Gone, being removed, or replaced by another incarnation. If the record cannot be read, it does not count as gone. */
export async function isRemoved(d: Deployment): Promise<boolean> {
  try {
    return removalOf((await readCurrent(d.store, d.id))?.value, d.incarnation) !== undefined
  } catch {
    return false
  }
}

/** Its name is that of another incarnation by now. */
export async function isReplaced(d: Deployment): Promise<boolean> {
  const current = (await readCurrent(d.store, d.id).catch(() => undefined))?.value
  return current !== undefined && current.incarnation !== d.incarnation
}

/** Another one replaces it, and will clear it once nobody reads it any more: until then it is complete. */
export async function isSucceeded(d: Deployment): Promise<boolean> {
  const current = (await readCurrent(d.store, d.id).catch(() => undefined))?.value
  return current?.why !== 'discard' && current?.former?.includes(d.incarnation) === true
}

/** For a command whose results another command has delivered and removed meanwhile: nothing was delivered by this one. */
export class TooLate extends RemoteError {}

/** When and where the results were delivered, as far as that is known here. */
export async function tooLate(engine: Engine, d: Deployment, cause?: unknown): Promise<TooLate> {
  const known = (await readCollected(d).catch(() => undefined)) ?? (await pickHistory(engine.home, d.id).catch(() => undefined))?.delivered
  const where = known ? `: its results were delivered at ${known.at} by ${known.by}${known.to === undefined ? '' : `, to ${known.to}`}` : ''
  return new TooLate(`${d.name} was given back by another command before this one could deliver it${where}`, {
    cause,
    hint: known ? 'nothing is lost: they are there' : `see what became of it: \`tpi status ${d.name}\``,
  })
}

/** From the history of this home; if it was removed from another home, it counts as stopped. */
export async function lastWord(engine: Engine, d: Deployment, spec: Spec, slots: readonly SlotRecord[]): Promise<Status> {
  const known = await pickHistory(engine.home, d.id)
  if (known?.createdAt === spec.createdAt && known.outcome !== 'running') return { ...known, destroyed: true }
  const seen = statusOf({ cloud: d.cloudId, spec, store: d.store.url, slots, destroyed: true })
  return seen.outcome === 'running' || slots.length < spec.count ? asStopped(seen) : seen
}
