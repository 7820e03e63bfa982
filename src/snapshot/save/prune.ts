/** Finds the objects of a slot's folder that are no longer needed, and removes them. */
import { BASE } from '../../wire/layout.ts'
import type { SnapshotRef } from '../../wire/slot.ts'
import { isDamage, SnapshotError } from '../errors.ts'
import { manifestKey, objectKeys, readManifest } from '../format/manifest.ts'
import { patiently } from '../outage.ts'
import { PinWatch } from '../pins.ts'
import type { Manifest, NamedRef, Saved, SaverOptions, SnapshotPlace } from '../types.ts'

type KeptRef = NamedRef & Pick<SnapshotRef, 'quiet'>

const REMOVED_AT_ONCE = 500
/** Bytes in use of mostly dead objects that are stored again after one pruning. */
const RENEWED_AT_ONCE = 16 << 20

/**
 * Removes only objects that were there when it was opened, or that its own saver stored. So a former holder that wakes up in the middle of pruning
 * takes nothing from its successor, whose objects it does not know. `base/` is never touched.
 */
export class Pruner {
  readonly #place: SnapshotPlace
  readonly #pins: PinWatch
  /** Objects that may go one day, by key relative to the root, with their bytes. */
  readonly #objects = new Map<string, number>()
  readonly #found: Promise<void>
  /** For each manifest (by key) that was needed at the last pruning or came later, the objects that it names. */
  readonly #names = new Map<string, ReadonlySet<string>>()
  readonly #restored: readonly NamedRef[]
  readonly #head: readonly NamedRef[]
  #kept: readonly KeptRef[] | undefined
  #pending: NamedRef | undefined

  constructor(options: SaverOptions) {
    const { store, root, at } = options
    this.#place = { store, root, at }
    this.#pins = new PinWatch(this.#place)
    this.#restored = options.restored === undefined ? [] : [options.restored.ref]
    this.#head = options.head === undefined ? [] : [options.head]
    if (options.restored !== undefined) this.#learn(options.restored.ref, options.restored.manifest)
    // If it fails, it is not tried again: a later list could contain a successor's objects. The next holder removes what is left.
    this.#found = this.#list().catch(() => undefined)
  }

  stored(key: string, bytes: number): void {
    this.#objects.set(key, bytes)
  }

  /** It is complete in the store, and may be about to be published. */
  pending({ ref, manifest }: Saved): void {
    this.#pending = ref
    this.#learn(ref, manifest)
  }

  published({ ref, manifest }: Saved, keep: readonly SnapshotRef[]): void {
    this.#learn(ref, manifest)
    this.#kept = [ref, ...keep]
  }

  /** Keys (relative to the root) that are gone now. `toHead`: also what is kept only to fall back on, for a store that is full. */
  async prune(signal?: AbortSignal, toHead = false): Promise<ReadonlySet<string>> {
    const kept = this.#kept && (toHead ? headOf(this.#kept) : [...this.#kept, ...this.#restored])
    // Before the first snapshot of our own, slot.json still names the head that we found. If that is not quiet, we have restored another one.
    const keep = kept ?? (toHead && this.#restored.length > 0 ? [...this.#head, ...this.#restored] : undefined)
    if (keep === undefined || this.#place.at === BASE) return new Set()
    await this.#found
    const needed = await this.#needed([...keep, ...(this.#pending ? [this.#pending] : [])], signal)
    const dead = [...this.#objects.keys()].filter((key) => !needed.has(key))
    const { store, root } = this.#place
    for (let from = 0; from < dead.length; from += REMOVED_AT_ONCE) {
      const keys = dead.slice(from, from + REMOVED_AT_ONCE)
      await patiently(() => store.remove(keys.map((key) => root + key)), signal)
      for (const key of keys) this.#objects.delete(key)
    }
    return new Set(dead)
  }

  /**
   * Objects that it may remove and of which the manifest uses less than half. Those with the fewest bytes in use come first, as many as
   * `RENEWED_AT_ONCE` allows.
   */
  tired(manifest: Manifest | undefined): ReadonlySet<string> {
    const live = new Map<string, number>()
    const counted = new Set<string>()
    for (const entry of manifest?.entries ?? []) {
      for (const { key, from, length, zstd } of entry.type === 'file' ? entry.pieces : []) {
        // Pieces of a compressed frame share its bytes: it counts once, as if all of it were used.
        const frame = `${key} ${from}`
        if (zstd && counted.has(frame)) continue
        if (zstd) counted.add(frame)
        live.set(key, (live.get(key) ?? 0) + length)
      }
    }
    const tired = new Set<string>()
    let renewed = 0
    for (const [key, bytes] of [...live].sort(([, a], [, b]) => a - b)) {
      if (bytes * 2 >= (this.#objects.get(key) ?? 0) || renewed + bytes > RENEWED_AT_ONCE) continue
      renewed += bytes
      tired.add(key)
    }
    return tired
  }

  async #list(): Promise<void> {
    const { store, root, at } = this.#place
    if (at === BASE) return
    for await (const { key, size } of store.list(root + at)) this.#objects.set(key.slice(root.length), size)
  }

  async #needed(refs: readonly NamedRef[], signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
    const all = [...refs, ...(await this.#pins.valid(signal))]
    const needed = new Set<string>()
    const current = new Set(all.map(manifestKey))
    for (const key of this.#names.keys()) if (!current.has(key)) this.#names.delete(key)
    for (const ref of all) for (const key of await this.#namedBy(ref, signal)) needed.add(key)
    return needed
  }

  async #namedBy(ref: NamedRef, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
    const known = this.#names.get(manifestKey(ref))
    if (known !== undefined) return known
    try {
      return this.#learn(ref, await readManifest(this.#place.store, this.#place.root, ref, signal))
    } catch (error) {
      if (error instanceof SnapshotError && isDamage(error)) return new Set() // nobody can restore it: there is nothing to keep for it
      throw error
    }
  }

  #learn(ref: NamedRef, manifest: Manifest): ReadonlySet<string> {
    const keys = new Set([manifestKey(ref), ...objectKeys(manifest)])
    this.#names.set(manifestKey(ref), keys)
    return keys
  }
}

/** The newest one. If that is not quiet, also the newest quiet one, from which a restore would start; `others` are the newest first. */
function headOf([head, ...others]: readonly KeptRef[]): readonly KeptRef[] {
  if (head === undefined || head.quiet) return head ? [head] : []
  return [head, ...others.filter(({ quiet }) => quiet).slice(0, 1)]
}
