/** Following a deployment: what changed since the last look, until every slot is terminal or the caller has waited enough. */
import type { CloudEvent, Observation } from '../../core/cloud.ts'
import { formatDuration } from '../../lib/duration.ts'
import { Waited } from '../../lib/staleness.ts'
import { messageOf } from '../../lib/text.ts'
import { softDeadline } from '../../wire/lifetime.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import { type Spec } from '../../wire/spec.ts'
import { type Deployment, type Engine, readSlots, requestStop, type SlotRead } from '../deployment.ts'
import { type LogPiece, LogReader } from '../log-reader.ts'
import { mayPass } from '../outage.ts'
import { BudgetWatch } from './budget.ts'
import { closeAbandoned, isOpen, SlotWatch } from './close.ts'
import { Load } from './machine-load.ts'
import { Mirror } from './mirror.ts'
import { refuseToStart } from './no-start.ts'
import { Pace } from './pace.ts'
import { releaseDead } from './release.ts'
import { Removal } from './removal.ts'
import { SilentMachines } from './silent-machines.ts'

/** What a follower is told. */
export interface Watcher {
  /** A slot's record changed (also called once for each slot at the start, with `before` undefined). */
  slot(record: SlotRecord, before: SlotRecord | undefined): void
  log(piece: LogPiece): void
  /** Something new from the cloud, or from tpi. */
  event(text: string, kind: string): void
  /** Called after every look. */
  tick?(slots: readonly SlotRecord[], seen: Observation, load: Pick<Load, 'of'>): void
  /** A user is watching the load of machines, which costs calls. */
  readonly live?: boolean
}

/** For callers that wait only for the end. */
export const SILENT: Watcher = { slot() {}, log() {}, event() {} }

export interface FollowOptions {
  /** Stop looking (detach, cancel). */
  readonly signal: AbortSignal
  /** Milliseconds between two looks. */
  readonly poll?: number
}

/** Milliseconds between two looks at records and logs: well below the 3 s that a log line may take. */
const POLL = 700
/** Right after something has changed, because more changes are expected. */
const EAGER = 100
/** Beats without a sign after which it no longer waits. */
const LATE = 1.5
/** Longest time, awake, that store or cloud may be out of reach before following gives up; the deployment itself goes on. */
const PATIENCE = 15 * 60_000

/**
 * Resolves with the slots as last seen. Closes slots that nobody holds any more; never leaves one open for ever. Throws `TooLate` if the
 * deployment was removed meanwhile, or its remover has gone silent: then nobody may close the slots. `Unfinished`: the same for its maker.
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
    return await followOn(engine, { ...d, store: mirror }, spec, watcher, options, () => void mirror.keep(over.signal))
  } finally {
    over.abort()
  }
}

/** `looked`: called once, after the first look. */
async function followOn(
  engine: Engine,
  d: Deployment,
  spec: Spec,
  watcher: Watcher,
  options: FollowOptions,
  looked: () => void,
): Promise<readonly SlotRecord[]> {
  const looker = new Looker(engine, d, spec, watcher)
  let first = true
  let failing: { readonly since: number; readonly waited: Waited } | undefined
  let rest = EAGER
  for (;;) {
    const before = looker.slots
    try {
      const slots = await looker.look(options.signal)
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

function hasMoved(now: SlotRecord, before: SlotRecord | undefined): boolean {
  return now.state !== before?.state || now.phase !== before.phase
}

/** The former holder has left it, or another one has it. */
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

class Looker {
  slots: SlotRecord[] = []
  readonly #engine: Engine
  readonly #d: Deployment
  readonly #spec: Spec
  readonly #watcher: Watcher
  readonly #readers: LogReader[]
  readonly #slotWatch: SlotWatch
  readonly #silent: SilentMachines
  readonly #removal: Removal
  readonly #load: Load
  readonly #budget: BudgetWatch
  readonly #pace: Pace
  /** On the monotonic clock. */
  readonly #deadline: number
  #seen: Observation = { phase: 'up', wanted: 0, machines: [], events: [] }
  /** It happened before the last look at its group. */
  #wasOpen = false
  #events = 0

  constructor(engine: Engine, d: Deployment, spec: Spec, watcher: Watcher) {
    this.#engine = engine
    this.#d = d
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
    // What the cloud has announced is reported before its consequences.
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

  /** Closes slots that nobody will continue, and releases those of dead holders. Resolves to how many. */
  async #judge(read: readonly SlotRead[]): Promise<number> {
    const { clock } = this.#engine
    const at = clock.date().toISOString()
    return (
      (await closeAbandoned(this.#d, this.#spec, read, this.#seen, this.#slotWatch, clock)) +
      (await refuseToStart(this.#d, this.#spec, read, this.#silent.known(this.#seen), { at, late: clock.now() >= this.#deadline })) +
      (await releaseDead(this.#d, this.#spec, read, this.#seen, this.#slotWatch, { now: clock.now(), at }))
    )
  }

  /** A new attempt is announced before its own lines and after those of the attempt before it, an end after all lines. */
  async #tell(slots: readonly SlotRecord[], changed: ReadonlySet<SlotRecord>, signal: AbortSignal): Promise<void> {
    const unreported = new Set(changed)
    const tell = (slot: SlotRecord): void => {
      if (unreported.delete(slot)) this.#watcher.slot(slot, this.slots[slot.index])
    }
    for (const slot of slots) {
      // It had ended by the last look, and its log was read to the end: looking there again would cost a call each time.
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

  async #observe(): Promise<void> {
    const now = this.#engine.clock.now()
    const urgent = this.slots.some((slot) => this.#isLate(slot, now))
    if (this.#pace.isDue(now, urgent)) await this.#observeNow(now)
  }

  async #observeNow(now: number): Promise<void> {
    await this.#removal.look(this.slots, now)
    const before = this.#seen
    // A failure to read is reported by the code that closes slots.
    this.#wasOpen ||= await isOpen(this.#d).catch(() => false)
    this.#seen = await this.#d.cloud.observe(this.#d)
    await this.#d.cloud.clearDead?.(this.#d)
    if (this.#wasOpen) this.#slotWatch.saw(this.#seen, now)
    this.#pace.looked(now, isNews(before, this.#seen))
    for (const event of this.#seen.events.slice(this.#events))
      this.#watcher.event(event.text, this.#isToldByItsSlot(event) ? 'info' : event.kind)
    // If a cloud's answers lag, an older answer may come after a newer one.
    this.#events = Math.max(this.#events, this.#seen.events.length)
  }

  /** Its attempt ends, with the reason: a change of machine is reported as one event. */
  #isToldByItsSlot({ kind, machine }: CloudEvent): boolean {
    return (
      kind === 'notice' && machine !== undefined && this.slots.some(({ attempts }) => attempts.some(({ holder }) => holder === machine))
    )
  }

  /** Its machine should have shown itself by now. */
  #isLate(slot: SlotRecord, now: number): boolean {
    const silent = this.#slotWatch.silentFor(slot, now)
    return slot.holder !== undefined && !isTerminal(slot.state) && silent > this.#spec.lease.beat * LATE
  }

  /** A failing agent requests it itself; this is for slots that a controller closed. */
  async #failFast(slots: readonly SlotRecord[]): Promise<void> {
    if (!this.#spec.failFast || !slots.some((slot) => slot.state === 'failed') || slots.every((slot) => isTerminal(slot.state))) return
    await requestStop(this.#d, { at: this.#engine.clock.date().toISOString(), by: 'fail-fast' })
  }
}
