/** A deployment that another command has removed, or is removing, while this one uses it: this one ends with what is known of it. */
import { RemoteError } from '../../core/errors.ts'
import { removalOf } from '../../wire/incarnation.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, readCollected, readCurrent } from '../deployment.ts'
import { pickHistory } from '../find.ts'
import { asRemoved, type Status, statusOf } from '../follow/status.ts'
import { recallRun } from '../history.ts'

/** Gone, being removed, or replaced by another incarnation. `false` if the record cannot be read. */
export async function isRemoved(d: Deployment): Promise<boolean> {
  try {
    return removalOf((await readCurrent(d.store, d.id))?.value, d.incarnation) !== undefined
  } catch {
    return false
  }
}

/** Another incarnation has the name by now. */
export async function isReplaced(d: Deployment): Promise<boolean> {
  const current = (await readCurrent(d.store, d.id).catch(() => undefined))?.value
  return current !== undefined && current.incarnation !== d.incarnation
}

/** Another incarnation replaces it, and will remove it once nobody reads it any more: until then it is complete. */
export async function isSucceeded(d: Deployment): Promise<boolean> {
  const current = (await readCurrent(d.store, d.id).catch(() => undefined))?.value
  return current?.why !== 'discard' && current?.former?.includes(d.incarnation) === true
}

/** Another command has delivered and removed the results meanwhile, so this one has delivered nothing. */
export class TooLate extends RemoteError {}

interface Late {
  readonly cause?: unknown
  /** From its specification; absent if that could not be read: then the last run of this id counts. */
  readonly createdAt?: string
}

/** The error to throw. It says when and where the results were delivered, as far as that is known here. */
export async function tooLate(engine: Engine, d: Deployment, { cause, createdAt }: Late = {}): Promise<TooLate> {
  const { home } = engine
  const recalled = createdAt === undefined ? pickHistory(home, d.id) : recallRun(home, { id: d.id, createdAt })
  const [collected, past] = await Promise.all([readCollected(d).catch(() => undefined), recalled.catch(() => undefined)])
  const known = collected ?? past?.delivered
  const where = known ? `: its results were delivered at ${known.at} by ${known.by}${known.to === undefined ? '' : `, to ${known.to}`}` : ''
  return new TooLate(`${d.name} was given back by another command before this one could deliver it${where}`, {
    cause,
    hint: known ? 'nothing is lost: they are there' : `see what became of it: \`tpi status ${d.name}\``,
  })
}

/** The last status of the run, from the history of this home. If it was removed from another home, what `slots` say; open ones count as stopped. */
export async function lastWord(engine: Engine, d: Deployment, spec: Spec, slots: readonly SlotRecord[]): Promise<Status> {
  const known = await pickHistory(engine.home, d.id)
  if (known?.createdAt === spec.createdAt && known.outcome !== 'running') return { ...known, destroyed: true }
  const seen = statusOf({ cloud: d.cloudId, spec, store: d.store.url, slots, destroyed: true })
  return seen.outcome === 'running' || slots.length < spec.count ? asRemoved(seen, engine.clock.date(), spec) : seen
}
