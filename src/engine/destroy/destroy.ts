/** Removing a deployment with everything that it has. May be repeated, by any controller; what cannot be removed is named. */
import { describeError, InputError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { messageOf } from '../../lib/text.ts'
import { hasSaved } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import {
  type CurrentRead,
  type Deployment,
  type Engine,
  hasNoStore,
  ownsStore,
  readCollected,
  readControl,
  readCurrent,
  readSpec,
  requestStop,
  slotRecords,
  wentOn,
} from '../deployment.ts'
import { runOutcome } from '../follow/outcome.ts'
import { unlocate } from '../locators.ts'
import { patiently } from '../outage.ts'
import { forgetFormer, type MarkResult, markDestroying, removeMark, reopen, siblingOf } from '../owner/current.ts'
import { startHeartbeat } from '../owner/maker-heartbeat.ts'
import { clearOrphans, lookForOrphans } from '../owner/orphans.ts'
import { untilUnread } from '../owner/presence.ts'
import { abandoned } from '../owner/silence.ts'
import { raiseAgain } from '../raise-unless-stopped.ts'
import { AFTERWARDS, again, emptyGroup, orLower, removeCompute } from './compute.ts'
import { type Removing, RULES, type Terms } from './removing.ts'
import { RemovalError, removeStages } from './stages.ts'

/** Milliseconds between two signs of life, if there is no specification that says so. */
const BEAT = 15_000
/** The TTL then. */
const TTL = 4 * BEAT
/** Milliseconds for which a store that does not answer may just be in removal by another command. */
const GOING_LIMIT = 60_000
/** Milliseconds between two looks at that. */
const GOING_POLL = 1000

/**
 * Throws InputError while the run is going on or has results that nobody collected, unless somebody has begun to remove it already. If another
 * command is making it, this waits until that has finished; with `discard` no longer than `patience` (milliseconds), because a record can be forged,
 * and renewed for ever. Resolves to how the run may be removed: only a discard also removes the run that an interrupted creation was to replace.
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

/** Waits while another command makes the run. Resolves to the record if that command is dead, or after `most` milliseconds. */
async function untilSettled(engine: Engine, d: Deployment, patience: number, most?: number): Promise<CurrentRead | undefined> {
  const current = await readCurrent(d.store, d.id).catch((error: unknown) => {
    // A discard works even if the record cannot be read or reached.
    if (most !== undefined) return undefined
    throw error
  })
  if (current?.value.incarnation !== d.incarnation || current.value.state !== 'making') return undefined
  return abandoned(engine, d, current, patience, most)
}

/**
 * Throws InputError if there is a group, but no record of it in the store. A disk that is not mounted looks like this; without the group, nobody
 * would ever remove what is on it.
 */
async function refuseWithoutRecords(d: Deployment): Promise<void> {
  if ((await readCurrent(d.store, d.id)) || (await d.cloud.observe(d)).phase === 'absent') return
  throw new InputError(`run "${d.name}": nothing of it was found at ${d.store.url}`, {
    hint: `if that storage is unavailable, bring it back first; or remove only the machines: \`tpi destroy ${d.name} --discard\``,
  })
}

/**
 * What exists under the name afterwards: `nothing` · `mark` only the record, as requested (`Removing.leave`) · `former` the run that it was to
 * replace · `another` a run that was made since · `kept` what was to be removed, because somebody needs it or is working on it
 */
export type Remains = 'nothing' | 'mark' | 'former' | 'another' | 'kept'

/** For people. */
export const REMAINS: Readonly<Record<Exclude<Remains, 'mark'>, string>> = {
  nothing: 'everything is given back',
  former: 'what it had begun was removed, and the run before it is back',
  another: 'what it had made was removed; by now the name belongs to another run, which was left alone',
  kept: 'left alone, because another command is working with it; run the same command again',
}

/**
 * Removes everything: marks the deployment, scales to 0, waits until no machine is left, removes resources, and clears the store (once more after a
 * TTL, if some machine disappeared without anybody seeing its end, because it may still write). The name is removed last. A creation that was never
 * completed is rolled back: then the previous incarnation gets the name back. Each call names the incarnation, so a controller that comes late
 * removes nothing of another one.
 */
export async function destroy(engine: Engine, d: Deployment, removing: Removing): Promise<Remains> {
  const how: Terms = removing
  const lease = await leaseOf(d, how)
  // A store that does not answer is not asked again: each call would wait in vain.
  const remains = lease === 'silent' ? lease : await clearAll(engine, d, lease, how)
  if (typeof remains === 'string' && remains !== 'silent') return remains
  await removeStages(engine, remains === 'silent' ? await removeWithoutStore(engine, d, how) : remains, again(d, how.leave))
  await unlocate(engine.home, d.id)
  return 'nothing'
}

/** `undefined`: its specification does not say, or cannot be read. `silent`: its store does not answer, or is gone. */
async function leaseOf(d: Deployment, { lease, storeIsSilent }: Terms): Promise<Spec['lease'] | 'silent' | undefined> {
  if (storeIsSilent) return 'silent'
  if (lease) return lease
  try {
    return (await readSpec(d))?.lease
  } catch (error) {
    return isNoMore(d, error) ? 'silent' : undefined
  }
}

/**
 * The parts of its own store, to be removed in this order. To be called while the deployment still has its name: `Cloud.remainingStore` keeps the
 * store if another incarnation starts to use it after this call.
 */
async function ownStoreOf(engine: Engine, d: Deployment): Promise<Resource[][]> {
  // A deployment of the same name may have a store of its own although this one, in a bucket, has none.
  if (!ownsStore(d)) return []
  return ((await patiently(engine, async () => d.cloud.remainingStore?.(d))) ?? []).reverse()
}

/**
 * Removes compute, and what is in the store. Resolves to the resources that are still to be removed (a store of its own), or to what remains under
 * the name. `silent`: the store does not answer.
 */
async function clearAll(
  engine: Engine,
  d: Deployment,
  lease: Spec['lease'] | undefined,
  { why, judged, leave = false, alone }: Terms,
): Promise<Resource[][] | Remains | 'silent'> {
  const rhythm = { beat: lease?.beat ?? BEAT, ttl: lease?.ttl ?? TTL }
  const grip = await orNever(d, orLower(engine, d, markDestroying(engine, d, { why, ttl: lease?.ttl, judged })), 'silent' as const)
  if (grip === 'silent') return grip
  if (grip.whose !== 'mine' && grip.whose !== 'unnamed') return passBy(engine, d, grip, rhythm.ttl)
  const heartbeat = startHeartbeat(engine, d, 'destroying', rhythm)
  const rollback = grip.why === 'rollback' && (grip.former?.length ?? 0) > 0
  try {
    if (grip.why === 'rollback') await forgetSecrets(engine, d)
    if (grip.why === 'collected' && !RULES[why].hurries) await orNever(d, alone?.() ?? untilUnread(engine, d, rhythm.ttl), undefined)
    // There is no need to look for orphans if the name stays with a run, nor if the store is removed as a whole.
    const others = rollback || leave || ownsStore(d) ? undefined : lookForOrphans(engine, d)
    const hint = again(d, leave)
    const clearing = { lasting: leave || rollback || !ownsStore(d), keepsGroup: leave && !ownsStore(d), settled: !rollback, hint }
    await clearOne(engine, d, rhythm.ttl, clearing)
    if (!rollback) for (const one of grip.former ?? []) await clearOne(engine, siblingOf(d, one, grip.where), rhythm.ttl, { hint })
    if (others) await clearOthers(engine, d, rhythm.ttl, others)
  } finally {
    await heartbeat.stop()
  }
  // The incarnation that follows goes on using the store.
  if (leave) return 'mark'
  const before = rollback ? await reopen(d) : 'nothing'
  if (before === 'reopened') await isBack(engine, d, grip)
  if (before !== 'nothing') return before === 'another' ? before : 'former'
  const own = await ownStoreOf(engine, d)
  // Another controller may have finished the same removal, and another run may have the name since.
  return (await orNever(d, removeMark(d, grip.marked), true)) ? own : 'another'
}

/** Removes the secrets of an abandoned start before anything else: the cloud may refuse the rest, and perhaps nobody tries again. */
async function forgetSecrets({ host }: Engine, d: Deployment): Promise<void> {
  await d.store.clear(d.keys.confidential).catch((error: unknown) => host.debug(`${d.name}: ${describeError(error)}`))
}

/** For a deployment that has only its name so far: gives that back to the previous incarnation. `false`: that is not possible. */
export async function handBack(engine: Engine, d: Deployment): Promise<boolean> {
  const before = (await readCurrent(d.store, d.id))?.value
  if ((await reopen(d)) !== 'reopened') return false
  await isBack(engine, d, before ?? {})
  // A request to stop may have been stored there.
  await patiently(engine, async () => d.store.clear(d.keys.root))
  return true
}

/**
 * Says that the previous run is back. If the removed one was its move to another region, its machines are requested again: those that came before it
 * had its name back have left, or will.
 */
async function isBack(
  engine: Engine,
  d: Deployment,
  { former: [first = ''] = [], where, moved }: Pick<MarkResult, 'former' | 'where' | 'moved'>,
): Promise<void> {
  engine.host.info(`${d.name}: the run before it is back`)
  if (moved?.[first] === undefined) return
  await raiseAgain(engine, siblingOf(d, first, where)).catch((error: unknown) => engine.host.warn(`${d.name}: ${describeError(error)}`))
}

/** Removes orphans: incarnations of the same deployment that its record does not name. Never throws. */
export async function clearOthers(engine: Engine, d: Deployment, ttl: number, found = lookForOrphans(engine, d)): Promise<void> {
  await clearOrphans(engine, d, await found, async (one) => clearOne(engine, siblingOf(d, one), ttl))
}

/** Removes the previous incarnations, which this one has replaced. Waits for their readers. */
export async function clearFormer(engine: Engine, d: Deployment): Promise<void> {
  const current = await readCurrent(d.store, d.id)
  if (current?.value.incarnation !== d.incarnation || current.value.state !== 'open') return
  const { former = [], ttl = TTL, where } = current.value
  for (const one of former) {
    const before = siblingOf(d, one, where)
    // After a move, machines that still come there have nothing to do, and its readers take their time to go on here.
    const moved = wentOn(current.value, before)
    if (moved) await patiently(engine, async () => before.cloud.end(before))
    await untilUnread(engine, before, ttl)
    const stop = moved ? (await readControl(before))?.stop : undefined
    if (stop) await requestStop(d, stop)
    await clearOne(engine, before, ttl)
  }
  await forgetFormer(d, former)
}

/** The same, but a failure is only a warning: the run goes on, whatever is left of the former ones. `what`: for people. */
export async function tryToClearFormer(engine: Engine, d: Deployment, what: string): Promise<void> {
  await clearFormer(engine, d).catch((error: unknown) =>
    engine.host.warn(`${d.name}: ${what} was not removed: ${messageOf(error)}; ${AFTERWARDS}`),
  )
}

/** For a remover that comes too late to have the name: removes only what belongs to this incarnation, and not even that if somebody may need it. */
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
  /** The store itself stays, so what a machine writes into it later would stay, too. */
  readonly lasting: boolean
  /** The group stays, at size 0. */
  readonly keepsGroup: boolean
  /** All that it has was made long ago, so the cloud shows all of it. */
  readonly settled: boolean
  /** What to do if something cannot be removed. Absent: it belongs to a run whose name another one has. */
  readonly hint: string
}

/** Removes one incarnation from its cloud and from the store. */
async function clearOne(
  engine: Engine,
  d: Deployment,
  ttl: number,
  { lasting = true, keepsGroup = false, settled = false, hint = AFTERWARDS }: Partial<Clearing> = {},
): Promise<void> {
  const survivors = await (keepsGroup ? emptyGroup(engine, d, hint) : removeCompute(engine, d, settled, hint))
  const clear = async (): Promise<void> => orNever(d, d.store.clear(d.keys.root), undefined)
  await clear()
  if (!survivors || !lasting) return
  await engine.clock.sleep(ttl)
  await clear()
}

/**
 * Removes everything but what is in a store that does not answer. A shared bucket may only be invisible from here, so the user is told what may be
 * left in it. A store of its own may hold the previous run, so it is removed only if that was given up, too. Resolves to the resources that are still
 * to be removed.
 */
async function removeWithoutStore(engine: Engine, d: Deployment, { why, storeIsSilent = false, leave }: Terms): Promise<Resource[][]> {
  if (!ownsStore(d)) {
    engine.host.warn(`${d.name}: ${d.store.url} does not exist: if it comes back, remove "${d.id}/" in it by hand`)
    await removeCompute(engine, d, true, again(d, leave))
    return []
  }
  // Without a store machines cannot save anything, so there is no need to wait for them.
  await patiently(engine, async () => d.cloud.end(d))
  await removeStages(engine, (await patiently(engine, async () => d.cloud.leftovers(d))).reverse(), again(d, leave))
  const own = await ownStoreOf(engine, d)
  if (!storeIsSilent && RULES[why].givesUpStore) return own
  if (await isGoing(engine, d, own)) return own
  throw new RemovalError(`${d.name}: its store does not answer, so it stays: ${own.flat().map(nameOf).join(', ')}`, {
    hint: `once it answers, run the same command again; or give up what is in it: \`tpi destroy ${d.id} --discard\``,
  })
}

/** Whether another command is just removing the store: waits until nothing of it is left. */
async function isGoing(engine: Engine, d: Deployment, seen: readonly (readonly Resource[])[]): Promise<boolean> {
  const limit = engine.clock.now() + GOING_LIMIT
  for (let remains = seen; remains.flat().length > 0; remains = await ownStoreOf(engine, d)) {
    if (engine.clock.now() >= limit) return false
    await engine.clock.sleep(GOING_POLL)
  }
  return true
}

const nameOf = ({ kind, name }: Resource): string => `${kind} ${name}`

/** The error says that the store does not exist, or that one of its own does not answer. */
export function isNoMore(d: Pick<Deployment, 'cloud' | 'store'>, error: unknown): boolean {
  return isStoreError(error, 'gone') || hasNoStore(d, error)
}

/** What is done in the store; `otherwise` if there is no store any more (`isNoMore`). */
async function orNever<T, U>(d: Deployment, doing: Promise<T>, otherwise: U): Promise<T | U> {
  return doing.catch((error: unknown) => {
    if (isNoMore(d, error)) return otherwise
    throw error
  })
}
