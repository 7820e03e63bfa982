/** Waits until all runners are online, by the records of their machines and by the forge's own list. */
import { AuthError, CapacityError, DeadlineError, isRetryable, RemoteError, type TpiError } from '../core/errors.ts'
import type { Forge, RunnerInfo } from '../core/forge.ts'
import { type Deployment, type Engine, slotRecords } from '../engine/deployment.ts'
import { follow, type Watcher } from '../engine/follow/follow.ts'
import { patiently } from '../engine/outage.ts'
import { orAborted } from '../lib/abort.ts'
import { abortIn, inTime } from '../lib/clock.ts'
import { formatDuration } from '../lib/duration.ts'
import { isTerminal, type SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'

/** Milliseconds between two looks at the forge: at first, and at most. */
const FIRST = 500
const LONGEST = 10_000
/** Milliseconds for printing the last output of a machine whose runner does not come. */
const LAST_WORDS = 1000
/** Milliseconds to wait for an answer of the forge before the machines are looked at again. */
const ANSWER = 3000

export interface Online {
  /** Slot → seconds from its creation until it was online. A slot that has already served and left counts, too. */
  readonly after: ReadonlyMap<number, number>
  /** Name → the forge's id of the registration. */
  readonly ids: ReadonlyMap<string, string>
  /** Why not all of them came (see `some`). */
  readonly missing?: TpiError
}

export interface OnlineLimits {
  readonly seconds: number
  readonly signal: AbortSignal
  /** Some runners are better than none: it waits for all that can still come, and then resolves if any is online. */
  readonly some?: boolean
}

/** Rejects when a runner cannot come any more, when the time is over, or with the signal's reason. */
export async function untilOnline(
  engine: Engine,
  d: Deployment,
  spec: RunnerSpec,
  forge: Forge,
  watcher: Watcher,
  limits: OnlineLimits,
): Promise<Online> {
  const over = new AbortController()
  using limit = abortIn(engine.clock, limits.seconds * 1000)
  const late = limit.signal
  const signal = AbortSignal.any([over.signal, late, limits.signal])
  const seen = new Seen(engine, spec)
  const settle = (missing: TpiError): Online => {
    if (!limits.some || seen.online.size === 0) throw missing
    return { after: seen.online, ids: seen.ids, missing }
  }
  const asking = new Asking(engine, forge)
  const slots = async (): Promise<SlotRecord[]> => patiently(engine, async () => slotRecords(d, spec.count), limits.signal)
  const following = follow(engine, d, spec, seen.watching(watcher), { signal, poll: 300 })
  let failed: { readonly error: unknown } | undefined
  // A final failure ends the waiting at once, even in the middle of a pause.
  following.catch((error: unknown) => {
    failed = { error }
    over.abort()
  })
  try {
    for (let wait = FIRST; ; wait = seen.started ? Math.min(wait * 1.5, LONGEST) : FIRST) {
      limits.signal.throwIfAborted()
      if (failed) throw failed.error
      // When the time is over, it looks once more: if this computer has slept, it has not seen what came meanwhile.
      const isLast = late.aborted
      if (isLast) seen.served(await slots())
      const waiting = seen.waiting()
      for (const info of await orAborted(asking.about(waiting), limits.signal)) if (info.online || info.busy) seen.arrived(info)
      const lost = seen.served(await slots())
      if (lost && !(limits.some && seen.mayCome)) {
        // Its log says why, and the follower may be about to print that.
        await Promise.race([following, engine.clock.sleep(LAST_WORDS, signal)]).catch(() => undefined)
        const some = settle(lost)
        return some
      }
      if (seen.complete) {
        // Runners that have already served a job are complete without the forge, so it is asked for their ids only once.
        for (const { id, name } of await asking.about(seen.nameless())) seen.ids.set(name, id)
        return { after: seen.online, ids: seen.ids }
      }
      if (isLast) {
        const some = settle(seen.tooLate(d.name, limits.seconds))
        return some
      }
      await engine.clock.sleep(wait, signal).catch(() => undefined)
    }
  } finally {
    over.abort()
    await following.catch(() => undefined)
  }
}

/** Asks the forge about runners. If it is out of reach, that says nothing about them, so the waiting goes on. */
class Asking {
  readonly #engine: Engine
  readonly #forge: Forge
  /** The question that has not been answered yet. */
  #under: Promise<readonly RunnerInfo[]> | undefined

  constructor(engine: Engine, forge: Forge) {
    this.#engine = engine
    this.#forge = forge
  }

  /** Waits for an answer for a moment; then the result is empty, and a later call gets the answer. Only one question is open at a time. */
  async about(waiting: Parameters<Forge['look']>[0]): Promise<readonly RunnerInfo[]> {
    if (waiting.length === 0) return []
    const under = (this.#under ??= this.#looked(waiting))
    // The next call gets the error. The last question has no next call, so its error must not end the process as unhandled.
    under.catch(() => undefined)
    const answer = await inTime(this.#engine.clock, ANSWER, under)
    if (answer) this.#under = undefined
    return answer ?? []
  }

  async #looked(waiting: Parameters<Forge['look']>[0]): Promise<readonly RunnerInfo[]> {
    try {
      return await this.#forge.look(waiting)
    } catch (error) {
      if (!isRetryable(error)) throw error
      this.#engine.host.info(`${error.message}; still waiting`)
      return []
    }
  }
}

class Seen {
  readonly online = new Map<number, number>()
  readonly ids: Map<string, string>
  readonly #engine: Engine
  readonly #spec: RunnerSpec
  readonly #slots = new Map<number, SlotRecord>()
  /** Why no machine is available, according to the cloud's last message. */
  #short: string | undefined

  constructor(engine: Engine, spec: RunnerSpec) {
    this.#engine = engine
    this.#spec = spec
    this.ids = new Map(spec.runner.enrolled.flatMap(({ id, name }) => (id === undefined ? [] : [[name, id] as const])))
  }

  /** Runners that their machines register, and whose id is not known yet. */
  nameless(): RunnerSpec['runner']['enrolled'] {
    return this.#spec.runner.enrolled.filter(({ name }) => !this.ids.has(name))
  }

  watching(watcher: Watcher): Watcher {
    return {
      ...watcher,
      slot: (record, before) => {
        this.#slots.set(record.index, record)
        watcher.slot(record, before)
      },
      event: (text, kind) => {
        if (kind === 'capacity' || kind === 'quota') this.#short = text
        watcher.event(text, kind)
      },
    }
  }

  get complete(): boolean {
    return this.online.size === this.#spec.count
  }

  /** Whether a runner that is not online can still come. */
  get mayCome(): boolean {
    return [...this.#slots.values()].some(({ index, state }) => !this.online.has(index) && !isTerminal(state))
  }

  /** Whether some machine is as far as to start its runner. */
  get started(): boolean {
    return [...this.#slots.values()].some((slot) => slot.claimed !== undefined)
  }

  /** Registrations to ask the forge about: those that a machine has taken, and whose runner is not online yet. */
  waiting(): RunnerSpec['runner']['enrolled'] {
    const { enrolled } = this.#spec.runner
    return enrolled.filter(({ slot, k }) => !this.online.has(slot) && (this.#slots.get(slot)?.claimed ?? 0) === k + 1)
  }

  /** Notes a runner that the forge has listed as online, whether or not that is news. */
  arrived({ id, name }: Pick<RunnerInfo, 'id' | 'name'>): void {
    this.ids.set(name, id)
    const found = this.#spec.runner.enrolled.find((one) => one.name === name)
    if (found && !this.online.has(found.slot)) this.#note(found.slot)
  }

  /** Notes slots that have served a job, which proves that they were online. Returns why another one will never come, if it has ended. */
  served(slots: readonly SlotRecord[]): TpiError | undefined {
    let lost: SlotRecord | undefined
    for (const slot of slots) {
      this.#slots.set(slot.index, slot)
      if (this.online.has(slot.index)) continue
      if ((slot.jobs?.length ?? 0) > 0 || slot.state === 'succeeded') this.#note(slot.index)
      else if (isTerminal(slot.state)) lost ??= slot
    }
    return lost && notComing(this.#spec, lost)
  }

  tooLate(name: string, seconds: number): TpiError {
    const late = `${name}: not every runner came online within ${formatDuration(seconds)}`
    if (this.#short !== undefined && [...this.#slots.values()].every(({ epoch }) => epoch === 0))
      return new CapacityError(`${late}: ${this.#short}`, {
        hint: 'ask for less or for something else, or raise "online-timeout"',
      })
    return new DeadlineError(`${late}: ${this.#missing()}`, {
      hint: 'the lines above say how far the machines came; raise "online-timeout" to give them longer',
    })
  }

  #missing(): string {
    const open = [...this.#slots.values()].filter(({ index }) => !this.online.has(index))
    return open.map((slot) => `machine ${slot.index} is ${slot.phase ?? slot.state}`).join(', ')
  }

  #note(slot: number): void {
    const seconds = (this.#engine.clock.date().getTime() - Date.parse(this.#spec.createdAt)) / 1000
    this.online.set(slot, seconds)
    this.#engine.host.info(`runner ${slot + 1} of ${this.#spec.count} is online (${seconds.toFixed(1)} s)`)
  }
}

function notComing({ name }: RunnerSpec, slot: SlotRecord): TpiError {
  const message = `${name}: runner ${slot.index} did not come online: ${slot.reason ?? slot.state}`
  if (slot.cause === 'no-capacity') return new CapacityError(message, { hint: 'ask for less, or have the limit raised' })
  if (slot.cause === 'denied') return new AuthError(message)
  return new RemoteError(message, { hint: 'the lines above are its log' })
}
