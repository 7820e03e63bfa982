/**
 * Checks every change by a controller against the table in docs/architecture.md ("One owner") as it happens: what a command may do to a record, a
 * store and a group, whatever it leads to. Most faults between two commands leave no trace at the end.
 */
import { parseRecord } from '../../src/wire/parse.ts'
import { CURRENT, type CurrentRecord } from '../../src/wire/records.ts'
import { isTerminal, SLOT } from '../../src/wire/slot.ts'
import type { Store } from '../../src/wire/store.ts'
import type { MemoryStore } from '../snapshot/memory-store.ts'

/** One command. */
export interface Actor {
  readonly number: number
  /** It discards what others may want, and waits for nobody. */
  readonly discards: boolean
  /** It is neither frozen nor dead. */
  readonly runs: () => boolean
  /** It was frozen at any moment since then, or is dead, so others may take it for dead. */
  readonly stoodSince: (time: number) => boolean
}

/** A reader of an incarnation, from its registration until it leaves. */
interface Reader {
  readonly actor: Actor
  readonly since: number
  beat: number
  /** It was silent for so long that nobody needs to wait for it. */
  lost: boolean
  /** When it registered, the incarnation was already being destroyed. */
  readonly late: boolean
}

/** The folder in which readers of an incarnation register, below the incarnation's. */
const READERS = '/controllers/'

/** Watches the one name that all commands of a round use. */
export class OwnershipTable {
  readonly violations: string[] = []
  readonly #store: MemoryStore
  readonly #now: () => number
  /** The maker of each incarnation. */
  readonly #makers = new Map<string, Actor>()
  readonly #readers = new Map<string, Reader>()
  /** When each command last looked for readers of an incarnation. */
  readonly #looks = new Map<string, number>()
  #changed = 0
  /** When the record was marked as destroying. */
  #marked = 0

  constructor(store: MemoryStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Milliseconds since the last change of the name's record. */
  get silence(): number {
    return this.#now() - this.#changed
  }

  /** The store as this command sees it. `looked`: called when it has read the name's record. */
  as(actor: Actor, looked: (record: CurrentRecord | undefined) => unknown): Store {
    const store = this.#store
    return {
      ...store,
      read: async (key, ...more) => {
        const found = await store.read(key, ...more)
        if (key.endsWith('/current.json')) looked(this.#current(key))
        if (key.includes('/snap/')) this.#reads(actor, key)
        return found
      },
      list: (prefix, ...more) => {
        if (prefix.endsWith(READERS)) this.#looks.set(`${actor.number} ${prefix}`, this.#now())
        return store.list(prefix, ...more)
      },
      write: async (key, ...more) => {
        const before = this.#current(key)
        const closed = this.#isClosed(key)
        const version = await store.write(key, ...more)
        if (key.endsWith('/current.json')) this.#moved(actor, before, this.#current(key))
        if (key.endsWith('/slot.json') && !closed && this.#isClosed(key)) this.#closes(actor, key)
        if (key.includes(READERS)) this.#shows(actor, key)
        return version
      },
      remove: async (keys, condition) => {
        const before = keys.map((key) => this.#current(key))
        await store.remove(keys, condition)
        for (const key of keys) this.#readers.delete(key)
        for (const record of before) if (record) this.#removed(actor, record)
      },
      clear: async (prefix) => {
        this.#clears(actor, prefix)
        await store.clear(prefix)
        // Nobody can see their registrations any more.
        for (const [key, reader] of this.#readers) if (key.startsWith(prefix)) reader.lost = true
      },
    }
  }

  /** A command requests the machines of a group. */
  starts(actor: Actor, { incarnation }: Pick<CurrentRecord, 'incarnation'>): void {
    const maker = this.#makers.get(incarnation)
    if (maker !== actor) this.#fault(actor, `starts machines of ${incarnation}, which #${maker?.number} makes`)
  }

  /** A command sets a group's size to 0. */
  ends(actor: Actor, { id, incarnation }: Pick<CurrentRecord, 'id' | 'incarnation'>): void {
    const current = this.#current(`${id}/current.json`)
    if (current?.incarnation !== incarnation) return
    const maker = this.#makers.get(incarnation)
    if (current.state === 'making' && maker !== actor)
      this.#fault(actor, `takes the machines of ${incarnation}, which #${maker?.number} is making`)
    if (current.state === 'open' && !this.#isOver(current) && !this.#isAskedToStop(current))
      this.#fault(actor, `takes the machines of ${incarnation}, which works and was not asked to stop`)
  }

  #moved(actor: Actor, before: CurrentRecord | undefined, after: CurrentRecord | undefined): void {
    if (!after) return
    const silent = this.#now() - this.#changed
    this.#changed = this.#now()
    const step = `${before?.state ?? 'absent'}${before && before.incarnation !== after.incarnation ? ' → another' : ''} → ${after.state}`
    if (after.state === 'making' && before?.incarnation !== after.incarnation) this.#makers.set(after.incarnation, actor)
    if (after.state === 'destroying' && before?.state !== 'destroying') this.#marked = this.#now()
    if (!this.#allows(actor, before, after, silent) || !this.#keepsFormer(before, after))
      this.#fault(actor, `${step} (${after.why ?? 'no cause'}, ${silent} ms after the last change)`)
  }

  #allows(actor: Actor, before: CurrentRecord | undefined, after: CurrentRecord, silent: number): boolean {
    if (!before) return after.state === 'making'
    const known = [before.incarnation, ...(before.former ?? [])]
    if (after.former?.some((one) => !known.includes(one))) return false
    if (before.incarnation === after.incarnation) {
      if (before.state === after.state) return true
      if (after.state === 'open') return before.state === 'making' && this.#makers.get(after.incarnation) === actor
      if (after.state === 'making') return false
      if (before.state === 'open') return after.why !== 'collected' || this.#isOver(before)
      const maker = this.#makers.get(after.incarnation)
      // A running command is not silent.
      return maker === actor || after.why === 'discard' || (silent >= (before.ttl ?? 0) && maker?.stoodSince(this.#now() - silent) === true)
    }
    // Runners are started again in place of the mark that was left for them.
    if (after.state === 'making' && before.state === 'destroying')
      return before.relaunch !== undefined && !this.#isKept(before.id, before.incarnation)
    if (after.state === 'making') return before.state === 'open' && this.#isOver(before) && after.former?.[0] === before.incarnation
    return before.state === 'destroying' && before.why === 'rollback' && after.state === 'open' && before.former?.[0] === after.incarnation
  }

  /** No former incarnation is dropped from the record while it exists. */
  #keepsFormer(before: CurrentRecord | undefined, after: CurrentRecord): boolean {
    const known = before && before.why !== 'rollback' ? [before.incarnation, ...(before.former ?? [])] : (before?.former ?? [])
    const named = [after.incarnation, ...(after.former ?? [])]
    return known.every((one) => named.includes(one) || !this.#isKept(after.id, one))
  }

  #isKept(id: string, incarnation: string): boolean {
    return this.#store.objects.has(`${id}/${incarnation}/spec.json`)
  }

  #closes(actor: Actor, key: string): void {
    const [id, incarnation] = key.split('/')
    const current = this.#current(`${id}/current.json`)
    if (current?.state === 'making' && current.incarnation === incarnation)
      this.#fault(actor, `closes a slot of ${incarnation}, which is being made`)
  }

  #removed(actor: Actor, record: CurrentRecord): void {
    if (record.state !== 'destroying') this.#fault(actor, `takes away the record of ${record.incarnation}, which is ${record.state}`)
    // A discard does not wait for a command that is about to record its delivery; the next start or sweep finds that record.
    const late = (key: string): boolean => key.includes(READERS) || (actor.discards && key.endsWith('/collected.json'))
    const left = [...this.#store.objects.keys()].find((key) => key.startsWith(`${record.id}/${record.incarnation}/`) && !late(key))
    if (left !== undefined) this.#fault(actor, `takes away the record of ${record.incarnation} before ${left}`)
    const former = record.former?.find((one) => this.#isKept(record.id, one))
    if (former !== undefined) this.#fault(actor, `takes away the record of ${record.incarnation}, and ${former} is there`)
  }

  #clears(actor: Actor, prefix: string): void {
    const [id, incarnation = ''] = prefix.split('/')
    const current = this.#current(`${id}/current.json`)
    if (!current) return
    const { state, why, former = [] } = current
    const mine = current.incarnation === incarnation
    const before = former.includes(incarnation)
    if (mine && state !== 'destroying') this.#fault(actor, `clears ${incarnation}, which is ${state}`)
    // Earlier ones were cleared when that one was open.
    if (former[0] === incarnation && (state === 'making' || why === 'rollback'))
      this.#fault(actor, `clears ${incarnation}, which ${current.incarnation} is to follow`)
    if (actor.discards || !((mine && why === 'collected') || (before && state === 'open'))) return
    // A reader that registers after the mark sees it and leaves. A former incarnation can be entered until a look finds no readers.
    const mark = mine ? this.#marked : (this.#looks.get(`${actor.number} ${id}/${incarnation}${READERS}`) ?? Number.POSITIVE_INFINITY)
    const waiting = [...this.#readers].find(
      ([key, reader]) => key.startsWith(prefix) && reader.actor !== actor && reader.since < mark && this.#isThere(reader, current),
    )
    if (waiting) this.#fault(actor, `clears ${incarnation} while #${waiting[1].actor.number} reads it`)
  }

  /** All commands must respect this reader. */
  #isThere({ actor, beat, lost, late }: Reader, { ttl = 0 }: CurrentRecord): boolean {
    return !lost && !late && actor.runs() && (this.#now() - beat < ttl || !actor.stoodSince(beat))
  }

  #shows(actor: Actor, key: string): void {
    const known = this.#readers.get(key)
    const now = this.#now()
    const [id, incarnation = ''] = key.split('/')
    const current = this.#current(`${id}/current.json`)
    if (!known) {
      this.#readers.set(key, { actor, since: now, beat: now, lost: false, late: isGoing(current, incarnation) })
      return
    }
    if (known.late) this.#fault(actor, `reads ${incarnation}, which was going when it came`)
    const silent = now - known.beat >= (current?.ttl ?? Number.POSITIVE_INFINITY)
    if (silent && !actor.stoodSince(known.beat))
      this.#fault(actor, `reads ${incarnation}, and showed no sign of life for ${now - known.beat} ms`)
    Object.assign(known, { beat: now, lost: known.lost || silent })
  }

  #reads(actor: Actor, key: string): void {
    const [, incarnation = ''] = key.split('/')
    for (const [at, { actor: reader, late }] of this.#readers)
      if (late && reader === actor && at.includes(`/${incarnation}${READERS}`))
        this.#fault(actor, `fetches ${key}, which was going when it came`)
  }

  #isOver({ id, incarnation }: CurrentRecord): boolean {
    return [...this.#store.objects.keys()].every(
      (key) => !key.startsWith(`${id}/${incarnation}/`) || !key.endsWith('/slot.json') || this.#isClosed(key),
    )
  }

  #isAskedToStop({ id, incarnation }: CurrentRecord): boolean {
    return Buffer.from(this.#store.objects.get(`${id}/${incarnation}/control.json`)?.bytes ?? []).includes('"stop"')
  }

  #isClosed(key: string): boolean {
    const bytes = key.endsWith('/slot.json') ? this.#store.objects.get(key)?.bytes : undefined
    return bytes !== undefined && isTerminal(parseRecord(SLOT, bytes, key).state)
  }

  #current(key: string): CurrentRecord | undefined {
    const bytes = key.endsWith('/current.json') ? this.#store.objects.get(key)?.bytes : undefined
    return bytes && parseRecord(CURRENT, bytes, key)
  }

  #fault({ number }: Actor, what: string): void {
    this.violations.push(`#${number} ${what}`)
  }
}

/** A new reader must see that this is being destroyed, and leave. */
function isGoing(current: CurrentRecord | undefined, incarnation: string): boolean {
  if (current?.incarnation === incarnation) return current.state === 'destroying'
  return current?.why === 'discard' || !current?.former?.includes(incarnation)
}
