/** Following a deployment: look after look, what has changed is told and acted on, until every slot is terminal or the caller has waited enough. */
import type { CloudEvent, EventKind, Observation } from '../../core/cloud.ts'
import { orLate } from '../../lib/abort.ts'
import { formatDuration } from '../../lib/duration.ts'
import { Waited } from '../../lib/staleness.ts'
import { messageOf } from '../../lib/text.ts'
import { softDeadline } from '../../wire/lifetime.ts'
import { isHeld, isTerminal, type SlotRecord } from '../../wire/slot.ts'
import { type Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, readSlots, requestStop, type SlotRead } from '../deployment.ts'
import { type LogPiece, LogReader } from '../log-reader.ts'
import { mayPass } from '../outage.ts'
import { PARTING } from '../read-until.ts'
import { BudgetWatch } from './budget.ts'
import { closeAbandoned, endUnheld, isOpen, SlotWatch } from './close.ts'
import { Load } from './machine-load.ts'
import { Mirror } from './mirror.ts'
import { refuseToStart } from './no-start.ts'
import { Pace } from './pace.ts'
import { releaseDead } from './release.ts'
import { Removal } from './removal.ts'
import { SilentMachines } from './silent-machines.ts'

/** Told of everything that happens to a run, for the user. */
export interface Watcher {
  /** A slot's record has changed. At the start it is called once for each slot, with `before` undefined. */
  slot(record: SlotRecord, before: SlotRecord | undefined): void
  /** A program, or a machine itself, has printed something. */
  log(piece: LogPiece): void
  /** Something new from the cloud, or from tpi. */
  event(text: string, kind: EventKind): void
  /** Called after every look. */
  tick?(slots: readonly SlotRecord[], seen: Observation, load: Pick<Load, 'of'>): void
  /** Somebody watches the load of machines: it is read, which costs calls. */
  readonly live?: boolean
}

/** For callers that only wait for the end. */
export const SILENT: Watcher = { slot() {}, log() {}, event() {} }

export interface FollowOptions {
  /** Ends following (the command detaches, or is cancelled). */
  readonly signal: AbortSignal
  /** Milliseconds between two looks; absent: as below. */
  readonly poll?: number
}

/** Milliseconds between two looks at records and logs: well below the 3 s in which a printed line should be seen. */
const POLL = 700
/** The same right after something has changed, because more changes are likely. */
const EAGER = 100
/** Beats without a sign of life after which a follower asks the cloud about the machine without waiting for its usual pause. */
const LATE = 1.5
/** Milliseconds, awake, for which store or cloud may be out of reach before following ends with the error. The deployment itself goes on. */
const PATIENCE = 15 * 60_000

/**
 * Follows until all slots are terminal, or until the signal; resolves to the slots as they were seen last. Closes slots that nobody will continue, so
 * it does not wait for ever. Throws `TooLate` if the deployment was removed or has moved, and `UnfinishedCreation` if it was never completed
 * (`Removal`): then nobody may close the slots.
 */
export async function follow(
  engine: Engine,
  d: Deployment,
  spec: Spec,
  watcher: Watcher,
  options: FollowOptions,
): Promise<readonly SlotRecord[]> {
  const over = new AbortController()
  const mirror = new Mirror(
    d.store,
    engine.clock,
    Array.from({ length: spec.count }, (_, index) => ({ record: d.keys.slot(index).record, folder: d.keys.slot(index).log })),
  )
  try {
    const looker = new Looker(engine, { ...d, store: mirror }, d, spec, watcher)
    return await followOn(engine, looker, watcher, options, () => void mirror.keep(over.signal))
  } finally {
    over.abort()
  }
}

/** `looked` is called once, after the first look. */
async function followOn(
  engine: Engine,
  looker: Looker,
  watcher: Watcher,
  options: FollowOptions,
  looked: () => void,
): Promise<readonly SlotRecord[]> {
  let first = true
  let failing: { readonly since: number; readonly waited: Waited } | undefined
  let rest = EAGER
  for (;;) {
    const before = looker.slots
    try {
      // A look that hangs, as without a network, must not keep anybody from leaving.
      const slots = await orLate(looker.look(options.signal), options.signal, PARTING)
      if (slots.some((slot) => hasMoved(slot, before[slot.index]))) rest = EAGER
      if (failing) watcher.event(backAfter(engine.clock.now() - failing.since), 'notice')
      failing = undefined
      if (slots.every((slot) => isTerminal(slot.state)) || options.signal.aborted) return slots
      if (first) looked()
      first = false
    } catch (error) {
      if (options.signal.aborted) return looker.slots
      if (!mayPass(error)) throw error
      // Reported once: it fails every few seconds, mostly for the same reason.
      if (!failing) watcher.event(`unreachable, trying again: ${messageOf(error)}`, 'notice')
      failing ??= { since: engine.clock.now(), waited: new Waited(engine.clock) }
      if (failing.waited.time > PATIENCE) throw error
    }
    await engine.clock.sleep(options.poll ?? rest, options.signal).catch(() => undefined)
    rest = Math.min(POLL, rest * 1.25)
    if (options.signal.aborted) return looker.slots
  }
}

/** Its state or phase has changed. */
function hasMoved(now: SlotRecord, before: SlotRecord | undefined): boolean {
  return now.state !== before?.state || now.phase !== before.phase
}

/** Its holder has left it, or another machine has taken it. */
function changesMachine(now: SlotRecord, before: SlotRecord | undefined): boolean {
  if (before === undefined || before.epoch === 0) return false
  return now.epoch > before.epoch || (now.state === 'interrupted' && before.state !== 'interrupted')
}

const backAfter = (milliseconds: number): string => `reachable again after ${formatDuration(Math.round(milliseconds / 1000))}`

function isNews(before: Observation, now: Observation): boolean {
  const gist = ({ phase, wanted, machines, events }: Observation): string =>
    JSON.stringify([phase, wanted, events.length, machines.map(({ id, state }) => [id, state])])
  return gist(before) !== gist(now)
}

/** One look after the other, and what was seen. */
class Looker {
  slots: SlotRecord[] = []
  readonly #engine: Engine
  readonly #d: Deployment
  /** The same with its own store: what is read there is never out of date. */
  readonly #source: Deployment
  readonly #spec: Spec
  readonly #watcher: Watcher
  readonly #readers: LogReader[]
  readonly #slotWatch: SlotWatch
  readonly #silent: SilentMachines
  readonly #removal: Removal
  readonly #load: Load
  readonly #budget: BudgetWatch
  readonly #pace: Pace
  /** The soft deadline, on the monotonic clock. */
  readonly #deadline: number
  #seen: Observation = { phase: 'up', wanted: 0, machines: [], events: [] }
  /** The deployment was complete before the last look at its group: an empty group is not one that has no machines yet. */
  #wasOpen = false
  /** How many of the cloud's events were told. */
  #events = 0
  /** This command may not end its group. */
  #cannotEnd = false

  /** `d`: with a mirror of its store, which is `source`'s. */
  constructor(engine: Engine, d: Deployment, source: Deployment, spec: Spec, watcher: Watcher) {
    this.#engine = engine
    this.#d = d
    this.#source = source
    this.#spec = spec
    this.#watcher = watcher
    this.#silent = new SilentMachines(d)
    this.#load = new Load(d)
    this.#pace = new Pace(d.cloud.calm)
    this.#slotWatch = new SlotWatch(d.cloud.settling)
    this.#budget = new BudgetWatch(engine, d, spec)
    this.#removal = new Removal(engine, d, spec, this.#slotWatch)
    this.#deadline = engine.clock.now() + softDeadline(spec.lifetime) - engine.clock.date().getTime()
    this.#readers = Array.from({ length: spec.count }, (_, index) => new LogReader(d, index))
  }

  async look(signal: AbortSignal): Promise<readonly SlotRecord[]> {
    const read = await readSlots(this.#d, this.#spec.count)
    const slots = read.map((slot) => slot.record)
    const changed = slots.filter((slot) => this.slots[slot.index]?.nonce !== slot.nonce)
    if (changed.some((slot) => hasMoved(slot, this.slots[slot.index]))) this.#pace.hurry()
    // The cloud may have announced that: it is told before its consequences are.
    if (changed.some((slot) => changesMachine(slot, this.slots[slot.index]))) await this.#observeNow(this.#engine.clock.now())
    await this.#tell(slots, new Set(changed), signal)
    this.slots = slots
    await this.#observe()
    for (const text of await this.#silent.look(slots, this.#seen, this.#engine.clock.now())) this.#watcher.event(text, 'failure')
    if (this.#watcher.live) this.#load.look(slots, this.#engine.clock.now())
    this.#watcher.tick?.(slots, this.#seen, this.#load)
    const spent = await this.#budget.look(slots)
    if (spent !== undefined) this.#watcher.event(spent, 'notice')
    const closed = this.#wasOpen ? await this.#judge(read) : 0
    await this.#failFast(slots)
    return closed > 0 ? this.look(signal) : slots
  }

  /** Closes slots that nobody will continue, and releases those of dead holders. Resolves to how many slots that were. */
  async #judge(read: readonly SlotRead[]): Promise<number> {
    const { clock } = this.#engine
    const at = clock.date().toISOString()
    return (
      (await closeAbandoned(this.#d, this.#spec, read, this.#seen, this.#slotWatch, clock)) +
      (await refuseToStart(this.#d, this.#spec, read, this.#silent.known(this.#seen), { at, late: clock.now() >= this.#deadline })) +
      (await releaseDead(this.#d, this.#spec, read, this.#seen, this.#slotWatch, { now: clock.now(), at }))
    )
  }

  /**
   * Tells of changed slots and new lines: a new attempt between the lines of the one before it and its own, the end of a slot after all its lines.
   */
  async #tell(slots: readonly SlotRecord[], changed: ReadonlySet<SlotRecord>, signal: AbortSignal): Promise<void> {
    const unreported = new Set(changed)
    const tell = (slot: SlotRecord): void => {
      if (unreported.delete(slot)) this.#watcher.slot(slot, this.slots[slot.index])
    }
    for (const slot of slots) {
      // It had ended before this look, and its log was read to the end: reading again would cost a call each time.
      if (isTerminal(slot.state) && !changed.has(slot)) continue
      const known = this.slots[slot.index]?.epoch
      const open = !isTerminal(slot.state)
      if (open && known === undefined) tell(slot)
      const pieces = slot.epoch > 0 ? this.#readers[slot.index]?.next(slot, signal) : undefined
      for await (const piece of pieces ?? []) {
        if (open && piece.epoch > (known ?? 0)) tell(slot)
        this.#watcher.log(piece)
      }
      if (open) tell(slot)
    }
    slots.forEach(tell)
  }

  /** Looks at the cloud, if it is time for that. */
  async #observe(): Promise<void> {
    const now = this.#engine.clock.now()
    const urgent = this.slots.some((slot) => this.#isLate(slot, now))
    if (!this.#pace.isDue(now, urgent)) return
    await this.#observeNow(now)
    await this.#endUnheld()
  }

  async #observeNow(now: number): Promise<void> {
    await this.#removal.look(this.slots, now)
    const before = this.#seen
    // `closeSlot` reads the same record, and throws if that fails.
    this.#wasOpen ||= await isOpen(this.#d).catch(() => false)
    this.#seen = await this.#d.cloud.observe(this.#d)
    await this.#d.cloud.clearDead?.(this.#d)
    if (this.#wasOpen) this.#slotWatch.saw(this.#seen, now)
    this.#pace.looked(now, isNews(before, this.#seen))
    for (const event of this.#seen.events.slice(this.#events))
      this.#watcher.event(event.text, this.#isToldByItsSlot(event) ? 'info' : event.kind)
    // Where a cloud's answers lag, an older one may come after a newer one.
    this.#events = Math.max(this.#events, this.#seen.events.length)
  }

  /** A notice for a machine that holds or held a slot: the end of its attempt says the same, and nobody needs to read it twice. */
  #isToldByItsSlot({ kind, machine }: CloudEvent): boolean {
    return (
      kind === 'notice' && machine !== undefined && this.slots.some(({ attempts }) => attempts.some(({ holder }) => holder === machine))
    )
  }

  /** Its holder should have given a sign of life by now. */
  #isLate(slot: SlotRecord, now: number): boolean {
    const silent = this.#slotWatch.silentFor(slot, now)
    return slot.holder !== undefined && !isTerminal(slot.state) && silent > this.#spec.lease.beat * LATE
  }

  /** After a stop, no machine is waited for (`endUnheld`). */
  async #endUnheld(): Promise<void> {
    const { phase, wanted } = this.#seen
    const mayBe = this.#wasOpen && phase === 'up' && wanted > 0 && !this.slots.some(isHeld)
    if (!mayBe || this.#cannotEnd) return
    try {
      await endUnheld(this.#source, this.#spec)
    } catch (error) {
      if (mayPass(error)) throw error
      this.#cannotEnd = true
      this.#watcher.event(`its machines are still waited for, though it is asked to stop: ${messageOf(error)}`, 'failure')
    }
  }

  /** Requests a stop after a slot has failed (`fail-fast`). An agent does that itself; this is for slots that a controller has closed. */
  async #failFast(slots: readonly SlotRecord[]): Promise<void> {
    if (!this.#spec.failFast || !slots.some((slot) => slot.state === 'failed') || slots.every((slot) => isTerminal(slot.state))) return
    await requestStop(this.#d, { at: this.#engine.clock.date().toISOString(), by: 'fail-fast' })
  }
}
