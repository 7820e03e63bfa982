/** One look at a run, for commands that do not follow it: they judge its slots by the same rules as `follow` does at each look. */
import { formatDuration } from '../../lib/duration.ts'
import { removalOf } from '../../wire/incarnation.ts'
import { softDeadline } from '../../wire/lifetime.ts'
import type { CurrentRecord } from '../../wire/records.ts'
import { isHeld, isTerminal } from '../../wire/slot.ts'
import type { Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, readCurrent, readSlots, readSpec, type SlotRead } from '../deployment.ts'
import { closeAbandoned, SlotWatch } from './close.ts'
import { refuseToStart } from './no-start.ts'
import { overlay } from './read-only-store.ts'
import { readStatus } from './read-status.ts'
import type { Status } from './status.ts'

/** Milliseconds between two looks for a sign of life. */
const LISTEN = 500

/** One look that changes nothing. Slots that nobody will continue are shown as a command that acts would close them. */
export async function look(engine: Engine, d: Deployment, signal?: AbortSignal): Promise<Status> {
  return lookAndClose(engine, { ...d, store: overlay(d.store) }, signal)
}

/** One look, which also closes slots that nobody will continue. */
export async function lookAndClose(engine: Engine, d: Deployment, signal?: AbortSignal): Promise<Status> {
  const [spec, read] = await Promise.all([readSpec(d), readCurrent(d.store, d.id)])
  const current = read?.value
  if (!spec || (current?.incarnation === d.incarnation && current.state === 'making')) return unfinished(d, spec, current)
  // Its removal has begun, so nobody may close its slots any more.
  if (removalOf(current, d.incarnation) !== undefined) return going(await readStatus(d, spec))
  await closeEnded(engine, d, spec, signal)
  // Read again: a run may have ended during the look.
  return readStatus(d, spec)
}

/**
 * Closes the slots of an open deployment that nobody will continue. If the group cannot be seen from here, it waits for a sign of life, one TTL at
 * most; if the cloud's answers lag, until two looks agree. Resolves to the slots as they are then.
 */
export async function closeEnded(engine: Engine, d: Deployment, spec: Spec, signal?: AbortSignal): Promise<readonly SlotRead[]> {
  const { clock } = engine
  const settling = d.cloud.settling ?? 0
  const slotWatch = new SlotWatch(settling)
  let read = await readSlots(d, spec.count)
  let seen = await d.cloud.observe(d)
  const held = read.filter(({ record }) => isHeld(record))
  if (seen.phase === 'absent' && held.length > 0) {
    const { name } = await d.cloud.whoami()
    engine.host.info(
      `${d.name}: its machines cannot be seen from here (${name}); listening for them for up to ${formatDuration(Math.ceil(spec.lease.ttl / 1000))}`,
    )
    for (const { record } of read) slotWatch.silentFor(record, clock.now())
    const alive = (): boolean =>
      read.some(({ record }) => held.some((was) => was.record.index === record.index && was.record.nonce !== record.nonce))
    for (const until = clock.now() + spec.lease.ttl; clock.now() < until && !alive(); ) {
      await clock.sleep(Math.min(LISTEN, spec.lease.ttl / 4), signal)
      read = await readSlots(d, spec.count)
    }
    seen = await d.cloud.observe(d)
  }
  // One look is not enough where answers lag: it only starts the time for which looks must agree.
  if (seen.phase === 'stopped' && settling > 0 && read.some(({ record }) => !isTerminal(record.state))) {
    for (const { record } of read) slotWatch.silentFor(record, clock.now())
    slotWatch.saw(seen, clock.now())
    await clock.sleep(settling, signal)
    read = await readSlots(d, spec.count)
    const at = clock.now()
    seen = await d.cloud.observe(d)
    slotWatch.saw(seen, at)
  }
  const lost = await closeAbandoned(d, spec, read, seen, slotWatch, clock)
  if (lost > 0) read = await readSlots(d, spec.count)
  const now = clock.date()
  const late = now.getTime() >= softDeadline(spec.lifetime)
  const refused = await refuseToStart(d, spec, read, seen, { at: now.toISOString(), late })
  return refused > 0 ? readSlots(d, spec.count) : read
}

/** A removal has begun: nothing can be collected any more, and slots that are still open end with it. */
export function going(status: Status): Status {
  return { ...status, state: 'destroying' }
}

/** Its controller has not finished creating it, or was killed before it could. */
function unfinished(d: Deployment, spec: Spec | undefined, current: CurrentRecord | undefined): Status {
  return {
    id: d.id,
    name: d.name,
    cloud: d.cloudId,
    // Only runners are on record at a forge.
    mode: current?.registry ? 'runner' : 'task',
    state: 'creating',
    outcome: 'running',
    exitCode: null,
    createdAt: current?.createdAt ?? '',
    deadline: spec?.lifetime.deadline ?? '',
    endedAt: null,
    collected: false,
    destroyed: false,
    origin: current?.origin ?? {},
    store: d.store.url,
    slots: [],
  }
}
