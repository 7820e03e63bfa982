/** Gives everything back: idempotent, can be repeated, and names what cannot be deleted. */
import { describeError, InputError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import type { Why } from '../../wire/records.ts'
import { hasSaved } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import {
  type Deployment,
  type Engine,
  hasNoStore,
  ownsStore,
  readCollected,
  readControl,
  readSpec,
  requestStop,
  slotRecords,
  wentOn,
} from '../deployment.ts'
import { readCurrent } from '../find.ts'
import { runOutcome } from '../follow/outcome.ts'
import { unlocate } from '../locators.ts'
import { patiently } from '../outage.ts'
import { type CurrentRead, forgetFormer, type MarkResult, markDestroying, removeMark, reopen, siblingOf } from '../owner/current.ts'
import { startHeartbeat } from '../owner/maker-heartbeat.ts'
import { clearOrphans, lookForOrphans } from '../owner/orphans.ts'
import { untilUnread } from '../owner/presence.ts'
import { abandoned } from '../owner/silence.ts'
import { raiseAgain } from '../raise-unless-stopped.ts'
import { again, emptyGroup, orLower, removeCompute } from './compute.ts'
import { RemovalError, removeStages } from './stages.ts'

/** Between two signs of life, if there is no specification. */
const BEAT = 15_000
/** How long a store that does not answer may be in the middle of its removal before it counts as out of reach; and the time between two looks. */
const GOING_LIMIT = 60_000
const GOING_POLL = 1000

/**
 * Refuses while something of it is running or was never delivered, unless somebody has begun to remove it. If another command is making it,
 * it waits until that has finished: with `discard` no longer than `patience` (milliseconds), because a record can be forged, and renewed
 * for ever. Resolves to how it may be removed: only a discard also removes the run that an interrupted creation was to replace.
 */
export async function refuseUnlessDiscard(engine: Engine, d: Deployment, discard: boolean, patience: number): Promise<Removing> {
  if (discard) {
    await untilSettled(engine, d, patience, patience)
    return { why: 'discard' }
  }
  const judged = await untilSettled(engine, d, patience)
  if (judged) return { why: 'rollback', judged }
  await refuseWhatIsNeeded(d)
  return { why: 'collected' }
}

async function refuseWhatIsNeeded(d: Deployment): Promise<void> {
  if ((await readCurrent(d.store, d.id))?.value.state === 'destroying') return
  const spec = await readSpec(d)
  if (!spec) return refuseWithoutRecords(d)
  const slots = await slotRecords(d, spec.count)
  const { outcome } = runOutcome(slots)
  const remedy = (what: string): string => `${what}, or discard it: \`tpi destroy ${d.name} --discard\``
  if (outcome === 'running')
    throw new InputError(`run "${d.name}" is still running`, { hint: remedy(`stop it first: \`tpi stop ${d.name}\``) })
  const undelivered = spec.mode === 'task' && spec.output.length > 0 && slots.some(hasSaved)
  if (undelivered && !(await readCollected(d)))
    throw new InputError(`run "${d.name}" has results that nobody collected`, {
      hint: remedy(`collect them first: \`tpi collect ${d.name}\``),
    })
}

/** Resolves to the record of a creation whose maker is gone, or is no longer waited for. */
async function untilSettled(engine: Engine, d: Deployment, patience: number, most?: number): Promise<CurrentRead | undefined> {
  const current = await readCurrent(d.store, d.id).catch((error: unknown) => {
    // A discard works even if the record cannot be read or reached.
    if (most !== undefined) return undefined
    throw error
  })
  if (current?.value.incarnation !== d.incarnation || current.value.state !== 'making') return undefined
  return abandoned(engine, d, current, patience, most)
}

/** A group whose store has no record of it: a disk that is not mounted looks like this, and what it holds would then be kept for ever. */
async function refuseWithoutRecords(d: Deployment): Promise<void> {
  if ((await readCurrent(d.store, d.id)) || (await d.cloud.observe(d)).phase === 'absent') return
  throw new InputError(`run "${d.name}": nothing of it was found at ${d.store.url}`, {
    hint: `if that storage is unavailable, bring it back first; or remove only the machines: \`tpi destroy ${d.name} --discard\``,
  })
}

/**
 * What exists under the name afterwards: `nothing`; its `mark`, as requested; the `former` run; `another` one, which was made since.
 * `kept`: what was to be removed, because somebody needs it or is working on it.
 */
export type Remains = 'nothing' | 'mark' | 'former' | 'another' | 'kept'

/** For people. */
export const REMAINS: Readonly<Record<Exclude<Remains, 'mark'>, string>> = {
  nothing: 'everything is given back',
  former: 'what it had begun was removed, and the run before it is back',
  another: 'what it had made was removed; by now the name belongs to another run, which was left alone',
  kept: 'left alone, because another command is working with it; run the same command again',
}

export interface Removing {
  /** Absent: `discard`. */
  readonly why?: Why | undefined
  /** As in `Cause`; absent if a controller removes what it made itself. */
  readonly judged?: CurrentRead | undefined
  /**
   * The name stays, marked as being removed, for an incarnation that follows at once; so does its group at size 0, whose tags confirm what
   * that is made of.
   */
  readonly leave?: boolean | undefined
  /** Waits for all other readers, if this process is one of them. */
  readonly alone?: (() => Promise<void>) | undefined
  /** From its specification, if the caller has just read that. */
  readonly lease?: Spec['lease'] | undefined
  /** Its store did not answer, and may have what must stay: a store of its own is kept, whatever the cause, even if it answers by now. */
  readonly storeIsSilent?: boolean | undefined
}

/**
 * Removes everything: marks the deployment, compute to 0, waits until no machine is left, removes resources, clears the store, and
 * clears it once more after one TTL if a machine whose end nobody saw may still be alive; the name is removed last. An incomplete creation is
 * rolled back: the name then belongs to the previous incarnation. Everything is removed by its own incarnation, also by controllers that come late.
 */
export async function destroy(engine: Engine, d: Deployment, how: Removing = {}): Promise<Remains> {
  const read = async (): Promise<Pick<Spec, 'lease'> | undefined> => readSpec(d)
  const known = how.lease && { lease: how.lease }
  const found = async (): Promise<Pick<Spec, 'lease'> | 'silent' | undefined> =>
    known ?? read().catch((error: unknown) => (isNoMore(d, error) ? 'silent' : undefined))
  const spec = how.storeIsSilent ? 'silent' : await found()
  // A store that does not answer is not read again: each call would wait in vain.
  const remains = spec === 'silent' ? spec : await clearAll(engine, d, spec?.lease, how)
  if (typeof remains === 'string' && remains !== 'silent') return remains
  await removeStages(engine, remains === 'silent' ? await removeWithoutStore(engine, d, how) : remains, again(d))
  await unlocate(engine.home, d.id)
  return 'nothing'
}

/** Must be called while the deployment still has its name: if another one starts to use that store after that, it is kept. */
async function ownStoreOf(engine: Engine, d: Deployment): Promise<Resource[][]> {
  // Another deployment of the same name may have its own store, and this one a different store.
  if (!ownsStore(d)) return []
  return ((await patiently(engine, async () => d.cloud.remainingStore?.(d))) ?? []).reverse()
}

/**
 * Removes compute, and what is in the store. Resolves to what remains to be removed, or to what is left if the store is kept. `silent`: the
 * store does not answer.
 */
async function clearAll(
  engine: Engine,
  d: Deployment,
  lease: Spec['lease'] | undefined,
  { why: asked, judged, leave = false, alone }: Removing,
): Promise<Resource[][] | Remains | 'silent'> {
  const why = asked ?? 'discard'
  const rhythm = { beat: lease?.beat ?? BEAT, ttl: lease?.ttl ?? 4 * BEAT }
  const cause = { why, ttl: lease?.ttl, judged, alsoFormer: asked === 'discard' }
  const grip = await orNever(d, orLower(engine, d, markDestroying(engine, d, cause)), 'silent' as const)
  if (grip === 'silent') return grip
  if (grip.whose !== 'mine' && grip.whose !== 'unnamed') return passBy(engine, d, grip, rhythm.ttl)
  const heartbeat = startHeartbeat(engine, d, 'destroying', rhythm)
  const rollback = grip.why === 'rollback' && (grip.former?.length ?? 0) > 0
  try {
    if (grip.why === 'rollback') await forgetSecrets(engine, d)
    if (grip.why === 'collected' && why !== 'discard') await orNever(d, alone?.() ?? untilUnread(engine, d, rhythm.ttl), undefined)
    // A store of its own is removed with everything under its name. What is visible now has lost that name already, so there is no need to
    // wait and look.
    const others = rollback || leave || ownsStore(d) ? undefined : lookForOrphans(engine, d)
    const clearing = { lasting: leave || rollback || !ownsStore(d), keepsGroup: leave && !ownsStore(d), settled: !rollback }
    await clearOne(engine, d, rhythm.ttl, clearing)
    if (!rollback) for (const one of grip.former ?? []) await clearOne(engine, siblingOf(d, one, grip.where), rhythm.ttl)
    if (others) await clearOthers(engine, d, rhythm.ttl, others)
  } finally {
    await heartbeat.stop()
  }
  // The next incarnation is on record there: the store is kept, and that one goes on using it.
  if (leave) return 'mark'
  const before = rollback ? await reopen(d) : 'nothing'
  if (before === 'reopened') await isBack(engine, d, grip)
  if (before !== 'nothing') return before === 'another' ? before : 'former'
  const own = await ownStoreOf(engine, d)
  // Another controller that joined this removal may have finished it, and another run may have the name since.
  return (await orNever(d, removeMark(d, grip.marked), true)) ? own : 'another'
}

/** For an abandoned start: removed first of all, because its cloud may refuse the rest, and the next controller may not try again. */
async function forgetSecrets({ host }: Engine, d: Deployment): Promise<void> {
  await d.store.clear(d.keys.confidential).catch((error: unknown) => host.debug(`${d.name}: ${describeError(error)}`))
}

/**
 * For a deployment that has only its name, and nothing in its cloud: the name goes back to the previous incarnation at once. `false`: that
 * is not possible.
 */
export async function handBack(engine: Engine, d: Deployment): Promise<boolean> {
  const before = (await readCurrent(d.store, d.id))?.value
  if ((await reopen(d)) !== 'reopened') return false
  await isBack(engine, d, before ?? {})
  // There may be a request to stop it.
  await patiently(engine, async () => d.store.clear(d.keys.root))
  return true
}

/** A run that was being moved waits again where it was. Machines that came before it had its name back have left, or will. */
async function isBack(
  engine: Engine,
  d: Deployment,
  { former: [first = ''] = [], where, moved }: Pick<MarkResult, 'former' | 'where' | 'moved'>,
): Promise<void> {
  engine.host.info(`${d.name}: the run before it is back`)
  if (moved?.[first] === undefined) return
  await raiseAgain(engine, siblingOf(d, first, where)).catch((error: unknown) => engine.host.warn(`${d.name}: ${describeError(error)}`))
}

/** Other incarnations of the same deployment, except those that its record names. */
export async function clearOthers(engine: Engine, d: Deployment, ttl: number, found = lookForOrphans(engine, d)): Promise<void> {
  await clearOrphans(engine, d, await found, async (one) => clearOne(engine, siblingOf(d, one), ttl))
}

/** Removes the previous incarnations, which this one has replaced. Waits for their readers. */
export async function clearFormer(engine: Engine, d: Deployment): Promise<void> {
  const current = await readCurrent(d.store, d.id)
  if (current?.value.incarnation !== d.incarnation || current.value.state !== 'open') return
  const { former = [], ttl = 4 * BEAT, where } = current.value
  for (const one of former) {
    const before = siblingOf(d, one, where)
    // Machines that still come there have nothing to do: the readers go on here, in their own time.
    const moved = wentOn(current.value, before)
    if (moved) await patiently(engine, async () => before.cloud.scale(before, 0))
    await untilUnread(engine, before, ttl)
    const stop = moved ? (await readControl(before))?.stop : undefined
    if (stop) await requestStop(d, stop)
    await clearOne(engine, before, ttl)
  }
  await forgetFormer(d, former)
}

/** For a late remover: only what carries this incarnation is removed, and not even that if it may be needed. */
async function passBy(engine: Engine, d: Deployment, { whose }: MarkResult, ttl: number): Promise<Remains> {
  if (whose === 'changed') {
    engine.host.info(`${d.name} has shown signs of life in the meantime: it is left alone`)
    return 'kept'
  }
  if (whose === 'another') {
    engine.host.info(`${d.name} was created again in the meantime: the new one is left alone`)
    await clearOne(engine, d, ttl)
    return 'another'
  }
  const current = (await readCurrent(d.store, d.id))?.value
  if (current?.state !== 'open') {
    engine.host.info(`${d.name} is being created again: what it starts from is not removed`)
    return 'kept'
  }
  await clearFormer(engine, siblingOf(d, current.incarnation, current.where))
  return 'another'
}

interface Clearing {
  /** The store is not removed with it. */
  readonly lasting: boolean
  /** Nor is its group. */
  readonly keepsGroup: boolean
  /** What it has was made long ago: the cloud shows all of it. */
  readonly settled: boolean
}

/** One incarnation, in its cloud and in the store. */
async function clearOne(
  engine: Engine,
  d: Deployment,
  ttl: number,
  { lasting, keepsGroup, settled }: Clearing = { lasting: true, keepsGroup: false, settled: false },
): Promise<void> {
  const survivors = await (keepsGroup ? emptyGroup(engine, d) : removeCompute(engine, d, settled))
  await orNever(d, d.store.clear(d.keys.root), undefined)
  if (!survivors || !lasting) return
  await engine.clock.sleep(ttl)
  await d.store.clear(d.keys.root)
}

/**
 * Nothing can be removed from a bucket that is gone; but if it just cannot be found from here, the user must know what is left. Resolves to what
 * remains to be removed. A store of its own that cannot be read may hold the previous run: it is removed only if that was given up.
 */
async function removeWithoutStore(
  engine: Engine,
  d: Deployment,
  { why = 'discard', storeIsSilent = false }: Removing,
): Promise<Resource[][]> {
  if (!ownsStore(d)) {
    engine.host.warn(`${d.name}: ${d.store.url} does not exist: if it comes back, remove "${d.id}/" in it by hand`)
    await removeCompute(engine, d, true)
    return []
  }
  // Its machines have nowhere to save, so there is no need to wait until they give up.
  await patiently(engine, async () => d.cloud.scale(d, 0))
  await removeStages(engine, (await patiently(engine, async () => d.cloud.leftovers(d))).reverse(), again(d))
  const own = await ownStoreOf(engine, d)
  if (!storeIsSilent && (why === 'discard' || why === 'sweep')) return own
  if (await isGoing(engine, d, own)) return own
  throw new RemovalError(`${d.name}: its store does not answer, so it stays: ${own.flat().map(nameOf).join(', ')}`, {
    hint: `once it answers, run the same command again; or give up what is in it: \`tpi destroy ${d.id} --discard\``,
  })
}

/** Another command may just be removing it. */
async function isGoing(engine: Engine, d: Deployment, seen: readonly (readonly Resource[])[]): Promise<boolean> {
  const limit = engine.clock.now() + GOING_LIMIT
  for (let remains = seen; remains.flat().length > 0; remains = await ownStoreOf(engine, d)) {
    if (engine.clock.now() >= limit) return false
    await engine.clock.sleep(GOING_POLL)
  }
  return true
}

const nameOf = ({ kind, name }: Resource): string => `${kind} ${name}`

/** There is no store, or one of its own does not answer. */
export function isNoMore(d: Pick<Deployment, 'cloud' | 'store'>, error: unknown): boolean {
  return isStoreError(error, 'gone') || hasNoStore(d, error)
}

async function orNever<T, U>(d: Deployment, doing: Promise<T>, otherwise: U): Promise<T | U> {
  return doing.catch((error: unknown) => {
    if (isNoMore(d, error)) return otherwise
    throw error
  })
}
