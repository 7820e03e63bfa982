/** A machine of the awkward cloud: takes any free slot by the agent's own rules, sends heartbeats, ends the slot, and leaves by itself. */

import { incarnationFault } from '../../../src/agent/slot/control.ts'
import { takeOver } from '../../../src/agent/slot/takeover-rules.ts'
import type { Reference } from '../../../src/core/cloud.ts'
import { Staleness } from '../../../src/lib/staleness.ts'
import { openSaver } from '../../../src/snapshot/save/save.ts'
import { layout, snapAt } from '../../../src/wire/layout.ts'
import type { Leaving } from '../../../src/wire/machine-side.ts'
import { parseRecord } from '../../../src/wire/parse.ts'
import { CONTROL } from '../../../src/wire/records.ts'
import { isTerminal, SLOT, type SlotRecord } from '../../../src/wire/slot.ts'
import { type SlotEnd, stoppedBy } from '../../../src/wire/slot-end.ts'
import { SPEC, type Spec } from '../../../src/wire/spec.ts'
import type { Store } from '../../../src/wire/store.ts'
import { swapRecord } from '../../../src/wire/swap.ts'
import { Refusal } from '../../lab/vm/simulation/types.ts'
import { type Account, nameOf } from './account.ts'

export interface Work {
  /** Called with the group when an attempt begins; returns a function to call at its end. */
  readonly watch?: (group: string) => () => void
  /** Milliseconds that an attempt takes. */
  readonly takes: number
  /** Machines die while booting, before they take a slot. */
  readonly broken?: boolean
  /** Machines do nothing more once they have taken a slot: no sign of life, no end. */
  readonly hangs?: boolean
  /** Exit code of the program. */
  readonly exitCode?: number
  /** A folder with the program's results; `undefined`: it saves nothing. */
  readonly results?: string | undefined
}

let nonces = 0
const fresh = (): string => `machine-${++nonces}`

/** Every machine of the group works on this deployment as soon as it is up, as long as the account's time passes. */
export function inhabit(account: Account, store: Store, spec: Spec, work: () => Work): void {
  const busy = new Set<string>()
  account.world.listen((machine) => {
    if (!machine.id.startsWith(`${nameOf(spec)}-`) || machine.state !== 'up' || busy.has(machine.id)) return
    busy.add(machine.id)
    if (work().broken) return account.world.lose(machine, 'died')
    void new Inhabitant(account, store, spec, machine.id, work).live()
  })
}

/** Every machine of the account reads the specification of its deployment from the store, and works on it. */
export function populate(account: Account, store: Store, tagsOf: (group: string) => Reference, work: (spec: Spec) => Work): void {
  const busy = new Set<string>()
  const live = async (id: string, group: string): Promise<void> => {
    const of = tagsOf(group)
    const found = await store.read(layout(of.id, of.incarnation).spec)
    if (!found) return leave(account, id, 'done')
    const spec = parseRecord(SPEC, found.bytes, 'spec')
    return new Inhabitant(account, store, spec, id, () => work(spec)).live()
  }
  account.world.listen(({ id, state, group }) => {
    if (state !== 'up' || group === undefined || busy.has(id)) return
    busy.add(id)
    void live(id, group)
  })
}

/** `done` makes the group smaller, otherwise the machine is replaced. Repeated, or in a group that was scaled meanwhile, it changes nothing more. */
export function leave(account: Account, id: string, why: Leaving): void {
  const machine = account.world.machine(id)
  const group = machine && account.world.groupOf(machine)
  if (!machine || !group || machine.state === 'ending' || machine.state === 'gone') return
  try {
    group.leave(machine, why === 'done' ? 'smaller' : 'replace', `it left: ${why}`)
  } catch (error) {
    // The group was already scaled down meanwhile, so this machine leaves as one of the surplus.
    if (!(error instanceof Refusal)) throw error
    account.world.terminate(machine)
  }
  account.note(group.name)
}

class Inhabitant {
  readonly #account: Account
  readonly #store: Store
  readonly #spec: Spec
  readonly #id: string
  readonly #work: () => Work
  readonly #unchanged = new Staleness<number>()

  constructor(account: Account, store: Store, spec: Spec, id: string, work: () => Work) {
    this.#account = account
    this.#store = store
    this.#spec = spec
    this.#id = id
    this.#work = work
  }

  get #lives(): boolean {
    const state = this.#account.world.machine(this.#id)?.state
    return state === 'up'
  }

  async live(): Promise<void> {
    for (const begun = this.#now; this.#lives; await this.#sleep(2000)) {
      const slots = await this.#slots()
      if (slots.length > 0 && slots.every(({ record }) => isTerminal(record.state))) return leave(this.#account, this.#id, 'done')
      for (const slot of slots)
        if (await this.#take(slot))
          return (await this.#isGone(slot)) ? leave(this.#account, this.#id, 'done') : this.#attempt(slot.record.index)
      if (this.#now - begun > 2 * this.#spec.lease.ttl) return leave(this.#account, this.#id, 'done')
    }
  }

  async #take({ record, version }: Slot): Promise<boolean> {
    const silent = this.#unchanged.for(record.index, record.nonce, this.#now)
    if (isTerminal(record.state)) return false
    if (record.holder !== undefined && !record.released && silent < this.#spec.lease.ttl) return false
    const taker = { machine: this.#id, at: this.#iso, beat: this.#spec.lease.beat, silence: 'it went silent' }
    const rules = { retry: this.#spec.retry, pastDeadline: false, deadline: this.#spec.lifetime.deadline }
    return this.#swap({ ...takeOver(record, taker, rules), nonce: fresh() }, version)
  }

  /** Like the agent: after taking a slot that nobody had before, it checks that the name still belongs to its incarnation. */
  async #isGone({ record }: Slot): Promise<boolean> {
    const { id, incarnation } = this.#spec
    return record.epoch === 0 && (await incarnationFault(this.#store, id, incarnation, new AbortController().signal)) !== undefined
  }

  async #attempt(index: number): Promise<void> {
    if (this.#work().hangs) return
    const over = this.#work().watch?.(nameOf(this.#spec))
    await this.#through(index).finally(over)
  }

  async #through(index: number): Promise<void> {
    for (const begun = this.#now; this.#lives; await this.#sleep(Math.min(this.#spec.lease.beat, this.#work().takes))) {
      const slot = (await this.#slots())[index]
      if (!slot) return leave(this.#account, this.#id, 'done')
      if (slot.record.holder !== this.#id || slot.record.released) return leave(this.#account, this.#id, 'replace')
      const stop = await this.#stop()
      const over = stop !== undefined || this.#now - begun >= this.#work().takes
      const { holder: _holder, phase: _phase, ...rest } = slot.record
      const { exitCode = 0 } = this.#work()
      const attempts = slot.record.attempts.map((one, at, all) => (at === all.length - 1 ? { ...one, end: this.#iso, exitCode } : one))
      const state = exitCode === 0 ? 'succeeded' : 'failed'
      const own: SlotEnd = { state, cause: 'exit', exitCode, reason: `exit code ${exitCode}` }
      const head = over ? await this.#saved(slot.record) : undefined
      const end = {
        ...rest,
        attempts,
        ...(head && { head }),
        ...(stop === undefined ? own : stoppedBy(stop, this.#spec.lifetime.deadline)),
      }
      const next: SlotRecord = {
        ...(over ? end : { ...slot.record, state: 'running' }),
        nonce: fresh(),
        beat: slot.record.beat + 1,
        at: this.#iso,
      }
      if ((await this.#swap(next, slot.version)) && over) return leave(this.#account, this.#id, 'done')
    }
  }

  async #saved({ index, epoch }: SlotRecord): Promise<SlotRecord['head']> {
    const { results } = this.#work()
    if (results === undefined) return undefined
    const { root } = layout(this.#spec.id, this.#spec.incarnation)
    const saver = await openSaver({ store: this.#store, root, at: snapAt(index), folder: results, warn: () => undefined })
    const saved = await saver.save({ final: true })
    return saved && { ...saved.ref, epoch }
  }

  /** Who has requested a stop, if anybody has. */
  async #stop(): Promise<string | undefined> {
    const object = await this.#store.read(layout(this.#spec.id, this.#spec.incarnation).control)
    return object && parseRecord(CONTROL, object.bytes, 'control').stop?.by
  }

  async #swap(next: SlotRecord, version: string): Promise<boolean> {
    const key = layout(this.#spec.id, this.#spec.incarnation).slot(next.index).record
    return (await swapRecord(SLOT, this.#store, key, next, version)).won
  }

  async #slots(): Promise<readonly Slot[]> {
    const keys = layout(this.#spec.id, this.#spec.incarnation)
    const found: Slot[] = []
    for (let index = 0; index < this.#spec.count; index++) {
      const object = await this.#store.read(keys.slot(index).record)
      if (object) found.push({ record: parseRecord(SLOT, object.bytes, 'slot'), version: object.version })
    }
    return found
  }

  get #now(): number {
    return this.#account.clock.now()
  }

  get #iso(): string {
    return new Date(this.#now).toISOString()
  }

  async #sleep(time: number): Promise<void> {
    await new Promise<void>((resolve) => void this.#account.clock.at(this.#now + time, resolve))
  }
}

interface Slot {
  readonly record: SlotRecord
  readonly version: string
}
