/**
 * Sees every state of the record that says who owns a name (`<id>/current.json`) in a folder store, and when it was written. The store keeps the last
 * 32 states, so looking often enough misses none, even if a look is late.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CurrentRecord } from '../../src/wire/records.ts'
import { Looks, names, readState } from './folder-store.ts'

const LOOK = 100
/** Milliseconds by which a file system's time stamp may be late. */
const COARSE = 20

/** One state of the record. */
export interface Written {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly record: CurrentRecord
}

/** A start that another command undid, after its maker had been silent for long enough. */
export interface Overtaken {
  readonly incarnation: string
  /** Process of its maker. */
  readonly pid: number
  /** Milliseconds since its last sign of life. */
  readonly silent: number
  readonly at: number
}

export class RecordWitness {
  readonly #store: string
  readonly #seen = new Map<string, Written>()
  readonly #looks: Looks

  constructor(store: string) {
    this.#store = store
    this.#looks = new Looks(async () => this.look(), LOOK)
  }

  /** In order. */
  get states(): readonly Written[] {
    return [...this.#seen.values()].toSorted((a, b) => a.at - b.at)
  }

  async close(): Promise<void> {
    await this.#looks.close()
  }

  async look(): Promise<void> {
    for (const id of await names(this.#store)) {
      const first = join(this.#store, id, 'current.json')
      const later = (await names(`${first}%v`)).map((name) => join(`${first}%v`, name))
      for (const path of [first, ...later]) await this.#add(path)
    }
  }

  async #add(path: string): Promise<void> {
    const found = await stat(path).catch(() => undefined)
    if (!found) return
    // If the record is created again, its first state has the same path as before.
    const key = `${found.ino} ${found.mtimeMs}`
    if (this.#seen.has(key)) return
    const record = await readState<CurrentRecord>(path)
    if (record) this.#seen.set(key, { at: found.mtimeMs, record })
  }
}

const pidOf = ({ process = '' }: CurrentRecord): number => Number(/-(\d+)\./.exec(process)?.[1])

/** Starts that others undid, except by a discard. */
export function overtakenOf(states: readonly Written[]): readonly Overtaken[] {
  return states.flatMap(({ at, record }, index) => {
    const before = states[index - 1]
    if (before?.record.state !== 'making' || record.state !== 'destroying' || before.record.incarnation !== record.incarnation) return []
    const pid = pidOf(before.record)
    if (record.why === 'discard' || pidOf(record) === pid) return []
    return [{ incarnation: record.incarnation, pid, silent: at - before.at, at }]
  })
}

/**
 * Violations of the table in docs/architecture.md. `diedAt`: when the process with this pid ended, in milliseconds since 1970; `undefined`: it has
 * not.
 */
export function faultsOfRecord(states: readonly Written[], diedAt: (pid: number) => number | undefined): readonly string[] {
  const ttls = new Map(states.map(({ record }) => [record.incarnation, record.ttl ?? 0]))
  return overtakenOf(states)
    .filter(({ pid, at, incarnation, silent }) => !((diedAt(pid) ?? at) < at) && silent + COARSE < (ttls.get(incarnation) ?? 0))
    .map(
      ({ incarnation, pid, silent }) =>
        `the start of ${incarnation} by ${pid} was undone ${Math.round(silent)} ms after its last sign of life`,
    )
}
