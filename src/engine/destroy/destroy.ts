/** Giving everything back: idempotent, re-runnable, and what cannot be deleted is named. */
import { describeError, InputError, RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { messageOf } from '../../lib/text.ts'
import { Unchanged } from '../../lib/unchanged.ts'
import { currentKey } from '../../wire/layout.ts'
import { CURRENT } from '../../wire/records.ts'
import { hasSaved } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import { keepAlive } from '../create/alive.ts'
import { type Deployment, type Engine, readCollected, readSlots, readSpec } from '../deployment.ts'
import { readCurrent } from '../find.ts'
import { verdict } from '../follow/status.ts'
import { unlocate } from '../locators.ts'
import { patiently } from '../patience.ts'
import { changeRecord } from '../record.ts'

const PENDING_POLL = 250
/** Between two signs of life, where no specification says so. */
const BEAT = 15_000
/** How long a cloud may take to finish a removal before we call it stuck. */
const PENDING_LIMIT = 10 * 60_000

/** Something stays behind. The deployment counts as going, so a second try is welcome. */
export class RemovalError extends RemoteError {}

/** Refuses while something of it is running or was never delivered; not where somebody has begun to remove it. */
export async function refuseUnlessDiscard(d: Deployment, discard: boolean): Promise<void> {
  if (discard || (await readCurrent(d.store, d.id))?.value.destroying) return
  const spec = await readSpec(d)
  if (!spec) return refuseWithoutRecords(d)
  const slots = (await readSlots(d, spec.count)).map((slot) => slot.record)
  const { outcome } = verdict(slots)
  const remedy = (what: string): string => `${what}, or discard it: tpi destroy ${d.name} --discard`
  if (outcome === 'running')
    throw new InputError(`deployment "${d.name}" is still running`, { hint: remedy(`stop it first: tpi stop ${d.name}`) })
  const undelivered = spec.mode === 'task' && spec.output.length > 0 && slots.some(hasSaved)
  if (undelivered && !(await readCollected(d)))
    throw new InputError(`deployment "${d.name}" has results that nobody collected`, {
      hint: remedy(`collect them first: tpi collect ${d.name}`),
    })
}

/** A group whose store knows nothing of it: a disk that is not mounted looks like this, and would keep what it holds for ever. */
async function refuseWithoutRecords(d: Deployment): Promise<void> {
  if ((await readCurrent(d.store, d.id)) || (await d.cloud.observe(d)).phase === 'absent') return
  throw new InputError(`deployment "${d.name}": nothing of it was found at ${d.store.url}`, {
    hint: `if that storage is unavailable, bring it back first; or remove only the machines: tpi destroy ${d.name} --discard`,
  })
}

/**
 * Removes everything: marks the deployment as going, compute to 0, waits until no machine is left, removes resources, clears the store, and
 * clears it once more after one TTL where a machine may still be alive that nobody saw die; the name goes last.
 * `leave`: the name stays, marked as going, for an incarnation that follows at once.
 */
export async function destroy(engine: Engine, d: Deployment, leave = false): Promise<void> {
  const spec = await readSpec(d).catch((error: unknown) => (isNoMore(d, error) ? ('silent' as const) : undefined))
  // Each question would wait in vain for an answer.
  if (spec === 'silent') await removeWithoutStore(engine, d)
  else if (!(await clearAll(engine, d, spec?.lease, leave)))
    return engine.host.info(`${d.name} was created again in the meantime: the new one is left alone`)
  // What follows is on record there: the store stays, and the next incarnation uses it on.
  if (leave) return
  await removeStages(engine, ((await patiently(engine, async () => d.cloud.ownStore?.leftovers(d))) ?? []).reverse(), again(d))
  await unlocate(engine.home, d.id)
}

/** Compute, and what is in the store. `false`: the name belongs to another incarnation, and nothing was touched. */
async function clearAll(engine: Engine, d: Deployment, lease: Spec['lease'] | undefined, leave: boolean): Promise<boolean> {
  if (!(await orNever(d, marked(engine, d), true))) return false
  const alive = keepAlive(engine, d, 'destroying', lease?.beat ?? BEAT)
  try {
    const survivors = await removeCompute(engine, d)
    await orNever(d, d.store.clear(d.keys.root), undefined)
    if (survivors && (leave || !ownsStore(d))) {
      await engine.clock.sleep(lease?.ttl ?? 60_000)
      await d.store.clear(d.keys.root)
    }
  } finally {
    await alive.stop()
  }
  // Whoever took us for dead may have gone on to the next incarnation.
  if ((await orNever(d, markDestroying(d), true)) && !leave) await orNever(d, d.store.remove([currentKey(d.id)]), undefined)
  return true
}

/** Where the store takes no mark: what costs money goes all the same. The group stays at 0, for its tags say where the store is. */
async function marked(engine: Engine, d: Deployment): Promise<boolean> {
  return markDestroying(d).catch(async (error: unknown) => {
    await patiently(engine, async () => d.cloud.scale(d, 0)).catch((trouble: unknown) => engine.host.debug(describeError(trouble)))
    throw error
  })
}

/** Compute to 0, and everything of the cloud but the store. `true`: a machine may live that nobody saw die. */
async function removeCompute(engine: Engine, d: Deployment): Promise<boolean> {
  await patiently(engine, async () => d.cloud.scale(d, 0))
  const survivors = await waitForNobody(engine, d)
  await removeStages(engine, (await patiently(engine, async () => d.cloud.leftovers(d))).reverse(), again(d))
  return survivors
}

const again = (d: Deployment): string => `run: tpi destroy ${d.id}`

function ownsStore(d: Pick<Deployment, 'cloud' | 'store'>): boolean {
  return d.cloud.ownStore?.holds({ url: d.store.url }) === true
}

/** Nothing can be removed from a bucket that is gone; where it only cannot be found from here, its user must know what stays. */
async function removeWithoutStore(engine: Engine, d: Deployment): Promise<void> {
  if (!ownsStore(d)) {
    engine.host.warn(`${d.name}: ${d.store.url} does not exist: if it comes back, remove "${d.id}/" in it by hand`)
    await removeCompute(engine, d)
    return
  }
  // What its machines try to save has nowhere to go: nobody waits until they give up.
  await patiently(engine, async () => d.cloud.scale(d, 0))
  await removeStages(engine, (await patiently(engine, async () => d.cloud.leftovers(d))).reverse(), again(d))
}

function isNoMore(d: Pick<Deployment, 'cloud' | 'store'>, error: unknown): boolean {
  return isStoreError(error, 'gone') || hasNoStore(d, error)
}

/** A store that goes as a whole need not answer any more to be removed. */
export function hasNoStore(d: Pick<Deployment, 'cloud' | 'store'>, error: unknown): boolean {
  return ownsStore(d) && (isStoreError(error, 'unavailable') || isStoreError(error, 'gone'))
}

async function orNever<T>(d: Deployment, doing: Promise<T>, otherwise: T): Promise<T> {
  return doing.catch((error: unknown) => {
    if (isNoMore(d, error)) return otherwise
    throw error
  })
}

/** Takes the group away and leaves the store: the last step before another incarnation, or of a run that keeps its snapshots. */
export async function retire(engine: Engine, d: Deployment): Promise<void> {
  await removeCompute(engine, d)
}

/** `false`: the name now belongs to another incarnation, which is none of our business. */
async function markDestroying(d: Deployment): Promise<boolean> {
  try {
    const now = await changeRecord(CURRENT, d.store, currentKey(d.id), (current) =>
      current && current.incarnation === d.incarnation && !current.destroying ? { ...current, destroying: true } : undefined,
    )
    return now === undefined || now.incarnation === d.incarnation
  } catch (error) {
    // What nobody can read keeps nobody's incarnation: all that goes here goes by its own name.
    if (isStoreError(error, 'corrupt')) return true
    throw error
  }
}

/** Waits until the group shows no member. `true`: it did, but some machine went without anybody seeing its end. */
async function waitForNobody(engine: Engine, d: Deployment): Promise<boolean> {
  const limit = engine.clock.now() + PENDING_LIMIT
  const quiet = new Unchanged()
  for (;;) {
    const asked = engine.clock.now()
    const seen = await patiently(engine, async () => d.cloud.observe(d))
    // No single look is trusted where answers lag behind.
    const empty = quiet.for('group', seen.phase === 'up' ? `up ${asked}` : 'empty', asked) >= (d.cloud.settling ?? 0)
    if (seen.phase !== 'up' && empty) return seen.machines.some((machine) => machine.state !== 'gone')
    if (engine.clock.now() > limit)
      throw new RemoteError(`deployment "${d.name}": its machines are still there after 10 minutes`, {
        hint: `run again: tpi destroy ${d.id} --discard`,
      })
    await engine.clock.sleep(PENDING_POLL)
  }
}

/** Removes stages in the order given, goes on after errors, and names everything that stayed. */
export async function removeStages(
  engine: Engine,
  stages: readonly (readonly Resource[])[],
  hint = 'run the same command again',
): Promise<void> {
  const problems: string[] = []
  for (const stage of stages) {
    await Promise.all(
      stage.map(async (resource) => {
        try {
          await removeOne(engine, resource)
        } catch (error) {
          problems.push(`${resource.kind} ${resource.name}: ${messageOf(error)}`)
        }
      }),
    )
  }
  if (problems.length > 0) throw new RemovalError(`could not remove: ${problems.join('; ')}`, { hint })
}

async function removeOne(engine: Engine, resource: Resource): Promise<void> {
  const limit = engine.clock.now() + PENDING_LIMIT
  for (;;) {
    const outcome = await patiently(engine, async () => resource.remove())
    if (outcome === 'going') engine.host.info(`${resource.kind} ${resource.name}: the cloud removes it in its own time`)
    if (outcome === 'used') engine.host.debug(`${resource.kind} ${resource.name}: stays, others use it`)
    if (outcome === 'removed') engine.host.debug(`${resource.kind} ${resource.name}: removed`)
    if (outcome !== 'pending') return
    if (engine.clock.now() > limit) throw new Error('still there after 10 minutes')
    await engine.clock.sleep(resource.pace ?? PENDING_POLL)
  }
}
