/**
 * The record that says which incarnation of a deployment is current, and who may act on it (docs/architecture.md has the table). Each change is
 * conditional on the version on which the decision was based; a controller that is too late decides again.
 */
import { newNonce } from '../../core/identity.ts'
import { writerMark } from '../../lib/temp-name.ts'
import { currentKey } from '../../wire/layout.ts'
import { VERSION } from '../../wire/parse.ts'
import { CURRENT, type CurrentRecord, type Whereabouts, type Why } from '../../wire/records.ts'
import { isStoreError } from '../../wire/store.ts'
import type { Read } from '../../wire/swap.ts'
import { swapFor } from '../change-record.ts'
import { type Deployment, deploymentOf, type Engine, readSpec } from '../deployment.ts'
import { readCurrent } from '../find.ts'

export type CurrentRead = Read<CurrentRecord>

type Facts = Pick<CurrentRecord, 'createdAt' | 'origin' | 'registry' | 'relaunch' | 'moved'> & { readonly ttl: number }

const by = (engine: Engine): Pick<CurrentRecord, 'by' | 'process'> => ({ by: engine.actor, process: engine.process ?? writerMark() })

/**
 * absent, gone or open(A) → making(B). `former`: the record that was found to make room; `undefined`: there must be none. Resolves to the
 * record; `undefined`: somebody else was faster.
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
  return swapFor(CURRENT, d.store, currentKey(id), next, former?.version)
}

/** The deployment that was removed to make room for the next one has left only its record. */
function incarnationsBefore({ state, incarnation, former = [] }: CurrentRecord): readonly string[] {
  return state === 'destroying' ? former : [incarnation, ...former]
}

type Where = Readonly<Record<string, Whereabouts>>

/** The places of exactly these incarnations. */
function whereOf(where: Where = {}, incarnations: readonly string[]): Where {
  return Object.fromEntries(Object.entries(where).filter(([one]) => incarnations.includes(one)))
}

/**
 * making → open, by its maker only. `taken`: the version at the time when it was taken, which is current unless a beat has renewed it
 * since. `false`: another controller has it by now.
 */
export async function markOpen(d: Deployment, taken?: CurrentRead): Promise<boolean> {
  for (let known = taken; ; known = undefined) {
    const judged = known ?? (await readCurrent(d.store, d.id))
    if (judged?.value.incarnation !== d.incarnation || judged.value.state !== 'making') return false
    const { relaunch: _relaunch, process: _process, ...rest } = judged.value
    if (await swapped(d, judged, { ...rest, state: 'open' })) return true
  }
}

export interface MarkResult {
  /**
   * `unnamed`: there is no record, or none that can be read. `kept`: another incarnation takes its place, and may restore it. `another`:
   * the name belongs to another one. `changed`: it has changed since the decision.
   */
  readonly whose: 'mine' | 'unnamed' | 'kept' | 'another' | 'changed'
  /** The cause on record, from the controller that was first. */
  readonly why?: Why | undefined
  readonly former?: readonly string[] | undefined
  readonly where?: Where | undefined
  readonly moved?: CurrentRecord['moved'] | undefined
  /** The record that was marked here. */
  readonly marked?: CurrentRead | undefined
}

export interface RemovalCause {
  readonly why: Why
  readonly ttl: number | undefined
  /** The record when its controller was found dead, or its time over. If it has shown signs of life since, or is open by now, it goes on. */
  readonly judged?: CurrentRead | undefined
  /** The run that an undone creation was to replace must go, too: somebody has asked for that. */
  readonly alsoFormer?: boolean
}

/**
 * → destroying. While a deployment is being made, only a `discard` removes the one that it replaces, too. A controller that finds a removal
 * in progress joins it; a rollback becomes a discard if one is asked for.
 */
export async function markDestroying(
  engine: Engine,
  d: Deployment,
  { why, ttl, judged: asJudged, alsoFormer = false }: RemovalCause,
): Promise<MarkResult> {
  for (;;) {
    const judged = await readCurrent(d.store, d.id).catch((error: unknown) => {
      // An unreadable record protects no incarnation: everything removed here is removed by its own incarnation.
      if (isStoreError(error, 'corrupt')) return undefined
      throw error
    })
    const whose = whoseIs(judged?.value, d.incarnation)
    if (!judged || whose !== 'mine') return { whose }
    const { former, where, moved } = judged.value
    const joins = judged.value.state === 'destroying' && !(alsoFormer && judged.value.why === 'rollback')
    if (joins) return { whose, why: judged.value.why, former, where, moved }
    if (asJudged && asJudged.value.nonce !== judged.value.nonce) return { whose: 'changed' }
    const reason = judged.value.state === 'making' && why !== 'discard' ? 'rollback' : why
    const next = { ...judged.value, state: 'destroying', why: reason, ...by(engine), ...(ttl !== undefined && { ttl }) } as const
    const marked = await swappedFor(d, judged, next)
    if (marked) return { whose, why: reason, former, where, moved, marked }
  }
}

function whoseIs(current: CurrentRecord | undefined, incarnation: string): MarkResult['whose'] {
  if (!current) return 'unnamed'
  if (current.incarnation === incarnation) return 'mine'
  return current.former?.includes(incarnation) ? 'kept' : 'another'
}

/**
 * destroying → absent. `marked`: the record as it was marked. Another controller may be doing the same removal, and renew the record.
 * `false`: another run has the name.
 */
export async function removeMark(d: Deployment, marked?: CurrentRead): Promise<boolean> {
  for (let known = marked; ; known = undefined) {
    const judged =
      known ??
      (await readCurrent(d.store, d.id).catch((error: unknown) => {
        if (isStoreError(error, 'corrupt')) return 'unreadable' as const
        throw error
      }))
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
 * destroying(B: rollback) → open(A); making(B) → open(A) by its maker only, as long as nothing of B is made. `nothing`: there is nothing to
 * restore. `another`: somebody else was faster, and the name is no longer B's.
 */
export async function reopen(d: Deployment): Promise<'reopened' | 'nothing' | 'another'> {
  for (;;) {
    const judged = await readCurrent(d.store, d.id)
    if (!judged) return 'nothing'
    if (judged.value.incarnation !== d.incarnation) return 'another'
    if (judged.value.state !== 'making' && judged.value.why !== 'rollback') return 'nothing'
    const [incarnation, ...former] = judged.value.former ?? []
    if (incarnation === undefined) return 'nothing'
    const spec = await readSpec(siblingOf(d, incarnation)).catch((error: unknown) => {
      if (isStoreError(error, 'corrupt')) return undefined
      throw error
    })
    // Nothing of it can be read any more, so nobody can be using it.
    if (!spec) return 'nothing'
    const { v, id, name, where, moved = {} } = judged.value
    // It had moved here from elsewhere itself.
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

/** Another incarnation of the same name; `where`: according to its record; without it, the cloud looks for it. */
export function siblingOf(d: Deployment, incarnation: string, where?: Where): Deployment {
  return deploymentOf({ ...d, incarnation, promise: undefined, region: where?.[incarnation]?.region })
}

async function swapped(...change: Parameters<typeof swappedFor>): Promise<boolean> {
  return (await swappedFor(...change)) !== undefined
}

async function swappedFor(d: Deployment, judged: CurrentRead, next: Omit<CurrentRecord, 'nonce'>): Promise<CurrentRead | undefined> {
  return swapFor(CURRENT, d.store, currentKey(d.id), { ...next, nonce: newNonce() }, judged.version)
}
