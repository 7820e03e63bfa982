/**
 * Changes of the record that says which incarnation of a deployment is current, and who may act on it (docs/architecture.md has the table). Each
 * change names the version on which it was decided; a controller that finds another version decides again.
 */
import { newNonce } from '../../core/identity.ts'
import { writerMark } from '../../lib/temp-name.ts'
import { currentKey } from '../../wire/layout.ts'
import { VERSION } from '../../wire/parse.ts'
import { CURRENT, type CurrentRecord, type Whereabouts, type Why } from '../../wire/records.ts'
import { isStoreError } from '../../wire/store.ts'
import { swap } from '../change-record.ts'
import { type CurrentRead, type Deployment, deploymentOf, type Engine, readCurrent, readSpec } from '../deployment.ts'

type Facts = Pick<CurrentRecord, 'createdAt' | 'origin' | 'registry' | 'relaunch' | 'moved'> & { readonly ttl: number }

/** For `catch`: what counts instead of a record that is not one of tpi's, or not of this version. */
function ifCorrupt<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (isStoreError(error, 'corrupt')) return instead
    throw error
  }
}

/** Who acts, for the record. */
const by = (engine: Engine): Pick<CurrentRecord, 'by' | 'process'> => ({ by: engine.actor, process: engine.process ?? writerMark() })

/**
 * none, open(A) or destroying(A) → making(B). `former`: the record that the caller has decided to replace; `undefined`: there must be none. Resolves
 * to the new record; `undefined`: somebody else was faster.
 */
export async function take(engine: Engine, d: Deployment, facts: Facts, former: CurrentRead | undefined): Promise<CurrentRead | undefined> {
  const { id, name, incarnation } = d
  const before = former ? incarnationsBefore(former.value) : []
  const next: CurrentRecord = {
    v: VERSION,
    nonce: newNonce(),
    id,
    name,
    incarnation,
    ...facts,
    state: 'making',
    ...by(engine),
    ...(before.length > 0 && { former: before }),
    where: {
      ...whereOf(former?.value.where, before),
      [incarnation]: { cloud: d.cloudId, ...(d.region !== undefined && { region: d.region }) },
    },
  }
  return swap(CURRENT, d.store, currentKey(id), next, former?.version)
}

/** Earlier incarnations of which something may be left. One whose record says *destroying* has been removed: nothing but the record is left. */
function incarnationsBefore({ state, incarnation, former = [] }: CurrentRecord): readonly string[] {
  return state === 'destroying' ? former : [incarnation, ...former]
}

type Where = Readonly<Record<string, Whereabouts>>

/** Where these incarnations are; others are left out. */
function whereOf(where: Where = {}, incarnations: readonly string[]): Where {
  return Object.fromEntries(Object.entries(where).filter(([one]) => incarnations.includes(one)))
}

/**
 * making → open, by its maker only. `taken`: the record as its maker took it, which saves reading it if no heartbeat has renewed it since. `false`:
 * another controller has it by now.
 */
export async function markOpen(d: Deployment, taken: CurrentRead): Promise<boolean> {
  for (let known: CurrentRead | undefined = taken; ; known = undefined) {
    const judged: CurrentRead | undefined = known ?? (await readCurrent(d.store, d.id))
    if (judged?.value.incarnation !== d.incarnation || judged.value.state !== 'making') return false
    const { relaunch: _relaunch, process: _process, ...rest } = judged.value
    if (await swapped(d, judged, { ...rest, state: 'open' })) return true
  }
}

export interface MarkResult {
  /**
   * Whose the name is. `mine`: this incarnation's · `unnamed`: there is no record, or none that can be read · `kept`: another incarnation has
   * replaced this one, which is still listed as a former one · `another`: another incarnation's, which does not know this one · `changed`: this
   * incarnation's, but its record has changed since the decision to remove it
   */
  readonly whose: 'mine' | 'unnamed' | 'kept' | 'another' | 'changed'
  /** Why it is removed, according to the record: the cause of the controller that was first. */
  readonly why?: Why | undefined
  readonly former?: readonly string[] | undefined
  readonly where?: Where | undefined
  readonly moved?: CurrentRecord['moved'] | undefined
  /** The record as this call has marked it; absent if another controller did. */
  readonly marked?: CurrentRead | undefined
}

export interface RemovalCause {
  /** `unneeded`: nothing of it is of use to anybody. For the record, it is discarded; but nobody has asked for that. */
  readonly why: Why | 'unneeded'
  readonly ttl: number | undefined
  /** The record on which the removal was decided, because its controller was silent or its time is over. If it has changed, nothing is marked. */
  readonly judged?: CurrentRead | undefined
}

/**
 * making or open → destroying. A deployment that is still being made is rolled back, and the run that it was to replace restored, unless somebody
 * asks to discard it. A controller that finds a removal in progress joins it. Only a discard makes a discard of a rollback, which also removes the
 * run that was to be replaced.
 */
export async function markDestroying(engine: Engine, d: Deployment, { why, ttl, judged: asJudged }: RemovalCause): Promise<MarkResult> {
  const onRecord = why === 'unneeded' ? 'discard' : why
  for (;;) {
    // A record that cannot be read protects nothing: each call to a cloud or store names the incarnation, so no other one is removed.
    const judged = await readCurrent(d.store, d.id).catch(ifCorrupt(undefined))
    const whose = whoseIs(judged?.value, d.incarnation)
    if (!judged || whose !== 'mine') return { whose }
    const { former, where, moved } = judged.value
    const joins = judged.value.state === 'destroying' && !(why === 'discard' && judged.value.why === 'rollback')
    if (joins) return { whose, why: judged.value.why, former, where, moved }
    if (asJudged && asJudged.value.nonce !== judged.value.nonce) return { whose: 'changed' }
    const reason = judged.value.state === 'making' && why !== 'discard' ? 'rollback' : onRecord
    const next = { ...judged.value, state: 'destroying', why: reason, ...by(engine), ...(ttl !== undefined && { ttl }) } as const
    const marked = await swapped(d, judged, next)
    if (marked) return { whose, why: reason, former, where, moved, marked }
  }
}

function whoseIs(current: CurrentRecord | undefined, incarnation: string): MarkResult['whose'] {
  if (!current) return 'unnamed'
  if (current.incarnation === incarnation) return 'mine'
  return current.former?.includes(incarnation) ? 'kept' : 'another'
}

/**
 * destroying → none. `marked`: the record as it was marked, which saves reading it if nobody has renewed it since: another controller may be
 * removing the same deployment. `false`: another run has the name.
 */
export async function removeMark(d: Deployment, marked?: CurrentRead): Promise<boolean> {
  for (let known = marked; ; known = undefined) {
    const judged = known ?? (await readCurrent(d.store, d.id).catch(ifCorrupt('unreadable' as const)))
    if (judged === undefined) return true
    if (judged !== 'unreadable' && (judged.value.incarnation !== d.incarnation || judged.value.state !== 'destroying')) return false
    try {
      await d.store.remove([currentKey(d.id)], judged === 'unreadable' ? undefined : { version: judged.version })
      return true
    } catch (error) {
      if (!isStoreError(error, 'conflict')) throw error
    }
  }
}

/**
 * destroying(B, a rollback) → open(A). Also making(B) → open(A), but only for B's maker, and only as long as nothing of B is made. `nothing`: there
 * is nothing to restore. `another`: somebody else was faster, and the name is no longer B's.
 */
export async function reopen(d: Deployment): Promise<'reopened' | 'nothing' | 'another'> {
  for (;;) {
    const judged = await readCurrent(d.store, d.id)
    if (!judged) return 'nothing'
    if (judged.value.incarnation !== d.incarnation) return 'another'
    if (judged.value.state !== 'making' && judged.value.why !== 'rollback') return 'nothing'
    const [incarnation, ...former] = judged.value.former ?? []
    if (incarnation === undefined) return 'nothing'
    const spec = await readSpec(siblingOf(d, incarnation)).catch(ifCorrupt(undefined))
    // Without its specification nobody can use it.
    if (!spec) return 'nothing'
    const { v, id, name, where, moved = {} } = judged.value
    // A itself may have moved before: its own moves stay on record.
    const earlier = Object.entries(moved).filter(([one]) => one !== incarnation)
    const { createdAt, origin, lease } = spec
    const next = {
      v,
      id,
      name,
      incarnation,
      createdAt,
      origin,
      state: 'open',
      ttl: lease.ttl,
      ...(former.length > 0 && { former }),
      ...(earlier.length > 0 && { moved: Object.fromEntries(earlier) }),
      ...(where && { where: whereOf(where, [incarnation, ...former]) }),
    } as const
    if (await swapped(d, judged, next)) return 'reopened'
  }
}

/** open(B) → open(B): nothing is left of these former incarnations. */
export async function forgetFormer(d: Deployment, gone: readonly string[]): Promise<void> {
  for (;;) {
    const judged = await readCurrent(d.store, d.id)
    const formers = judged?.value.former?.filter((one) => !gone.includes(one)) ?? []
    if (judged?.value.incarnation !== d.incarnation || formers.length === (judged.value.former?.length ?? 0)) return
    const { former: _former, where, ...rest } = judged.value
    const kept = where && { where: whereOf(where, [d.incarnation, ...formers]) }
    if (await swapped(d, judged, { ...rest, ...kept, ...(formers.length > 0 && { former: formers }) })) return
  }
}

/** Another incarnation of the same deployment. `where`: as the record has it; without it, the cloud looks in which region it is. */
export function siblingOf(d: Deployment, incarnation: string, where?: Where): Deployment {
  return deploymentOf({ ...d, incarnation, promise: undefined, region: where?.[incarnation]?.region })
}

/** Resolves to the record as it is then; `undefined`: somebody else was faster. */
async function swapped(d: Deployment, judged: CurrentRead, next: Omit<CurrentRecord, 'nonce'>): Promise<CurrentRead | undefined> {
  return swap(CURRENT, d.store, currentKey(d.id), { ...next, nonce: newNonce() }, judged.version)
}
