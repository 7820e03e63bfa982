/**
 * Sees every version of every slot record of a home: a folder store keeps the last 32, so looking often enough misses none. `faultsOf` checks what it
 * has seen against the rules of a slot record.
 */
import { join } from 'node:path'
import { isTerminal, type SlotRecord } from '../../src/wire/slot.ts'
import { Looks, names, readState } from './folder-store.ts'

const LOOK = 100

/** Versions of one record, in order. */
export interface History {
  /** `<id>/<incarnation>/slots/<n>` */
  readonly key: string
  readonly versions: readonly { readonly number: number; readonly record: SlotRecord }[]
}

export class Witness {
  readonly #store: string
  readonly #seen = new Map<string, Map<number, SlotRecord>>()
  readonly #looks: Looks

  constructor(store: string) {
    this.#store = store
    this.#looks = new Looks(async () => this.look(), LOOK)
  }

  async close(): Promise<readonly History[]> {
    await this.#looks.close()
    await this.look()
    return this.histories()
  }

  histories(): readonly History[] {
    return [...this.#seen].map(([key, versions]) => ({
      key,
      versions: [...versions].map(([number, record]) => ({ number, record })).sort((a, b) => a.number - b.number),
    }))
  }

  /** The newest record of the newest incarnation that was seen. */
  get latest(): { readonly key: string; readonly record: SlotRecord } | undefined {
    const last = this.histories().at(-1)
    const record = last?.versions.at(-1)?.record
    return last && record && { key: last.key, record }
  }

  async look(): Promise<void> {
    for (const id of await names(this.#store)) {
      for (const incarnation of await names(join(this.#store, id))) {
        if (/^current|^%/.test(incarnation)) continue
        const slots = join(id, incarnation, 'slots')
        for (const slot of await names(join(this.#store, slots))) await this.#record(join(slots, slot))
      }
    }
  }

  async #record(key: string): Promise<void> {
    const path = join(this.#store, key, 'slot.json')
    const seen = this.#seen.get(key) ?? new Map<number, SlotRecord>()
    const first = seen.has(0) ? undefined : await readState<SlotRecord>(path)
    if (first) seen.set(0, first)
    for (const name of await names(`${path}%v`)) {
      const number = Number(name.slice(name.lastIndexOf('.') + 1))
      const record = seen.has(number) ? undefined : await readState<SlotRecord>(join(`${path}%v`, name))
      if (record) seen.set(number, record)
    }
    if (seen.size > 0) this.#seen.set(key, seen)
  }
}

/** Violations of the rules of a slot record; empty if there are none. */
export function faultsOf({ key, versions }: History): string[] {
  const faults: string[] = []
  const nonces = new Set<string>()
  let before: (typeof versions)[number] | undefined
  for (const version of versions) {
    const { number, record } = version
    const say = (what: string): void => void faults.push(`${key} version ${number}: ${what}`)
    if (nonces.has(record.nonce)) say('its nonce was used before')
    nonces.add(record.nonce)
    if (before) {
      if (isTerminal(before.record.state))
        say(`${record.state} of epoch ${record.epoch} after the terminal ${before.record.state} of epoch ${before.record.epoch}`)
      if (record.epoch < before.record.epoch) say(`epoch ${record.epoch} after ${before.record.epoch}`)
      if (record.epoch === before.record.epoch && record.holder !== undefined && record.holder !== before.record.holder)
        say('another holder in one epoch')
      if ((record.head?.epoch ?? 0) < (before.record.head?.epoch ?? 0)) say('a head of an older epoch')
      for (const [at, attempt] of before.record.attempts.entries()) {
        const now = record.attempts[at]
        if (now?.epoch !== attempt.epoch || now.holder !== attempt.holder) say(`attempt ${at + 1} is another one`)
        else if (attempt.end !== undefined && (now.end !== attempt.end || now.cause !== attempt.cause))
          say(`the end of attempt ${at + 1} was written over`)
      }
    }
    before = version
  }
  return faults
}
