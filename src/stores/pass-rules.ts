/**
 * A store as one machine may use it. Its script may be malicious, and can read everything that the agent has. So the agent's pass opens only
 * the slot of this machine, and what all machines must know.
 *
 * It may read what the deployment is (`current`, `spec`, `control`, programs, the uploaded work directory), the secrets of the environment until
 * the last slot is closed, the record of every slot (for peers, for gangs, and to know whether it is the last), everything in its own slot, and those
 * of its slot's credentials that the record has claimed. It may write its own slot. When a slot is closed, what has to be done then is done here,
 * because the machine may be gone.
 */
import { allClosed, removeSecrets, type Slots, stopSiblings } from '../wire/after-close.ts'
import { BASE, currentKey, type Layout, layout, type SlotLayout, snapAt } from '../wire/layout.ts'
import { outlast } from '../wire/outage.ts'
import { parseRecord } from '../wire/parse.ts'
import type { Pass } from '../wire/pass.ts'
import { isTerminal, SLOT, type SlotRecord } from '../wire/slot.ts'
import { SPEC } from '../wire/spec.ts'
import {
  type Condition,
  type Incoming,
  type OnBytes,
  type Range,
  type StateCondition,
  type Store,
  type StoredObject,
  type StoreEntry,
  StoreError,
  type Version,
} from '../wire/store.ts'
import { readRecord } from '../wire/swap.ts'

/** Milliseconds, for the actions after a slot was closed. */
const PATIENCE = { first: 500, longest: 10_000, patience: 120_000 }

export function walled(store: Store, pass: Pass): Store {
  return new Walled(store, pass)
}

export const isWalled = (store: Store): boolean => store instanceof Walled

class Walled implements Store {
  readonly url: string
  /** Absent if the store has no such method. */
  readonly writeFrom?: NonNullable<Store['writeFrom']>
  readonly #store: Store
  readonly #id: string
  readonly #slot: number
  readonly #keys: Layout
  readonly #own: SlotLayout

  constructor(store: Store, { id, incarnation, slot }: Pass) {
    this.url = store.url
    this.#store = store
    this.#id = id
    this.#slot = slot
    this.#keys = layout(id, incarnation)
    this.#own = this.#keys.slot(slot)
    const writeFrom = store.writeFrom?.bind(store)
    if (writeFrom) this.writeFrom = async (...body) => this.#writeFrom(writeFrom, ...body)
  }

  async init(prefix: string): Promise<void> {
    throw this.#refused('make', prefix)
  }

  async clear(prefix: string): Promise<void> {
    throw this.#refused('clear', prefix)
  }

  async read(key: string, range?: Range, signal?: AbortSignal, received?: OnBytes): Promise<StoredObject | undefined> {
    if (!(await this.#mayRead(key, signal))) throw this.#refused('read', key)
    return await this.#store.read(key, range, signal, received)
  }

  async write(key: string, body: Uint8Array, condition?: Condition, signal?: AbortSignal): Promise<Version> {
    if (!this.#mayWrite(key)) throw this.#refused('write', key)
    if (key !== this.#own.record) return await this.#store.write(key, body, condition, signal)
    // Checked, because a record that cannot be read would block controllers, which handle all slots.
    const record = parseRecord(SLOT, body, key)
    if (record.index !== this.#slot) throw this.#refused('write the record of another slot to', key)
    for (const ref of [record.head, record.lastQuiet, record.previous])
      if (ref && ref.at !== BASE && ref.at !== snapAt(this.#slot)) throw this.#refused(`name a snapshot in ${ref.at} in`, key)
    const version = await this.#store.write(key, body, condition, signal)
    if (isTerminal(record.state)) await this.#follow(record)
    return version
  }

  list(prefix: string, after?: string, signal?: AbortSignal): AsyncIterable<StoreEntry> {
    if (!prefix.startsWith(this.#own.folder)) throw this.#refused('list', prefix)
    return this.#store.list(prefix, after, signal)
  }

  async remove(keys: readonly string[], condition?: StateCondition): Promise<void> {
    const denied = await this.#keptFrom(keys)
    if (denied !== undefined) throw this.#refused('remove', denied)
    await this.#store.remove(keys, condition)
  }

  async #writeFrom(
    writeFrom: NonNullable<Store['writeFrom']>,
    key: string,
    body: Incoming,
    condition?: Condition,
    signal?: AbortSignal,
  ): Promise<Version> {
    if (!this.#mayWrite(key)) throw this.#refused('write', key)
    if (key !== this.#own.record) return await writeFrom(key, body, condition, signal)
    if (body.size > SLOT.most) throw this.#refused(`write ${body.size} bytes to`, key)
    const pieces: Buffer[] = []
    for await (const piece of body.pieces) pieces.push(Buffer.from(piece))
    return await this.write(key, Buffer.concat(pieces), condition, signal)
  }

  async #mayRead(key: string, signal: AbortSignal | undefined): Promise<boolean> {
    const keys = this.#keys
    if ([currentKey(this.#id), keys.spec, keys.control, keys.secrets, keys.registration(this.#slot)].includes(key)) return true
    if ([keys.agent(''), keys.base, this.#own.folder].some((folder) => key.startsWith(folder)) || this.#isRecord(key)) return true
    const k = this.#credential(key)
    return k !== undefined && isClaimed(k, await this.#record(signal))
  }

  #mayWrite(key: string): boolean {
    return key.startsWith(this.#own.folder) || key === this.#keys.registration(this.#slot)
  }

  /**
   * The first of the keys that it may not remove. What slots share may be removed once all are closed; a credential, once it is claimed or the slot
   * is closed. Names are checked first, and the records are read at most once, because calls cost money and time.
   */
  async #keptFrom(keys: readonly string[]): Promise<string | undefined> {
    const own = this.#keys
    const others = keys.filter((key) => !key.startsWith(this.#own.folder) || key === this.#own.record)
    const isShared = (key: string): boolean => key === own.secrets || key.startsWith(own.agent(''))
    const once = others.filter((key) => !isShared(key))
    const stranger = once.find((key) => this.#credential(key) === undefined && key !== own.registration(this.#slot))
    if (stranger !== undefined) return stranger
    const shared = others.find(isShared)
    if (shared !== undefined && !(await allClosed(await this.#slots()))) return shared
    if (once.length === 0) return undefined
    const record = await this.#record()
    return record && isTerminal(record.state) ? undefined : once.find((key) => !isClaimed(this.#credential(key), record))
  }

  /** The record of any slot. */
  #isRecord(key: string): boolean {
    const [, slot] = /\/slots\/(\d{1,7})\/slot\.json$/.exec(key) ?? []
    return slot !== undefined && key === this.#keys.slot(Number(slot)).record
  }

  /** Number of a credential of this slot. */
  #credential(key: string): number | undefined {
    const k = Number(/-(\d{1,9})$/.exec(key)?.[1] ?? Number.NaN)
    return key === this.#keys.once(this.#slot, k) ? k : undefined
  }

  async #record(signal?: AbortSignal): Promise<SlotRecord | undefined> {
    return (await readRecord(SLOT, this.#store, this.#own.record, signal))?.value
  }

  async #slots(): Promise<Slots> {
    const read = await readRecord(SPEC, this.#store, this.#keys.spec)
    if (!read) throw new StoreError('gone', `storage: there is no ${this.#keys.spec}`)
    return { store: this.#store, keys: this.#keys, spec: read.value }
  }

  /**
   * Does what has to be done after a slot was closed. A failure changes nothing about the record: controllers do all of this, too. But there may
   * be no controller, so an outage of the store is waited out. The machine waits only for the first try.
   */
  async #follow(closed: SlotRecord): Promise<void> {
    await new Promise<void>((resolve) => {
      const step = async (): Promise<void> => {
        const slots = await this.#slots()
        const steps = await Promise.allSettled([removeSecrets(slots), stopSiblings(slots, closed)])
        for (const done of steps) if (done.status === 'rejected') throw done.reason
      }
      // Final: no specification, or an unreadable one, so it is unknown what to do.
      outlast(step, { ...PATIENCE, onTrouble: () => resolve() }).then(resolve, () => resolve())
    })
  }

  #refused(what: string, key: string): StoreError {
    return new StoreError('denied', `storage: a machine of slot ${this.#slot} may not ${what} "${key}"`)
  }
}

const isClaimed = (k: number | undefined, record: SlotRecord | undefined): boolean => k !== undefined && (record?.claimed ?? 0) > k
