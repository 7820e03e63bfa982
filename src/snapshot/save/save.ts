/** Saves a folder into the store again and again; see `Saver`. */

import { randomBytes } from 'node:crypto'
import { Mutex } from '../../lib/mutex.ts'
import { BASE } from '../../wire/layout.ts'
import { VERSION } from '../../wire/parse.ts'
import type { SnapshotRef } from '../../wire/slot.ts'
import { ChangedFiles, type Look } from '../folder/changed-files.ts'
import { releaseStats } from '../folder/scan.ts'
import { isSameTree, keepEntries, type Tree } from '../folder/tree.ts'
import { type HeldEntries, holdEntries } from '../format/entries.ts'
import { KnownPieces } from '../format/known-pieces.ts'
import { encodeManifest, manifestKey, objectKeys } from '../format/manifest.ts'
import { Packer } from '../format/pack.ts'
import { NOWHERE, Pieces } from '../format/pieces.ts'
import { doneWith } from '../memory.ts'
import { patiently } from '../outage.ts'
import { nameSome, parentPath } from '../path.ts'
import type { Manifest, Saved, SaveParams, Saver, SaverOptions } from '../types.ts'
import { Pruner } from './prune.ts'
import { seedTree } from './seed.ts'

export async function openSaver(options: SaverOptions): Promise<Saver> {
  const restored = options.restored !== undefined && isOwn(options.restored.manifest, options.at) ? options.restored : undefined
  // With a table of pieces of its own: others may still add to that of the manifest.
  const published = restored && held(restored.manifest, new Pieces())
  const tree = published && restored?.untouched === true ? await seedTree(options, published.entries) : undefined
  return new FolderSaver(options, published, tree)
}

type HeldManifest = Manifest & { readonly entries: HeldEntries }

function held(manifest: Manifest, pieces: Pieces): HeldManifest {
  return { ...manifest, entries: holdEntries(manifest.entries, pieces) }
}

/** A slot points only into its own folder and `base/`: objects elsewhere may be pruned by another holder. */
function isOwn(manifest: Manifest, at: string): boolean {
  for (const key of objectKeys(manifest)) if (!key.startsWith(at) && !key.startsWith(BASE)) return false
  return true
}

class FolderSaver implements Saver {
  readonly #options: Omit<SaverOptions, 'restored'>
  /** Random: names of objects are never used twice, not even by a former holder that comes back to life. */
  readonly #id = randomBytes(6).toString('hex')
  #sequence = 0
  #tree: Tree | undefined
  #published: HeldManifest | undefined
  /** Pieces that are in the store, by SHA-256. */
  #known: KnownPieces
  /** `#known` may include pieces that only older snapshots have. */
  #stale = false
  readonly #pruner: Pruner
  unreadable: readonly string[] = []
  readonly #warned = new Set<string>()
  #uploaded = 0
  readonly #turn = new Mutex()

  constructor(options: SaverOptions, published: HeldManifest | undefined, tree: Tree | undefined) {
    // Without the tree that was restored: it would stay in memory as long as the saver.
    const { restored: _restored, ...rest } = options
    this.#options = rest
    this.#tree = tree
    this.#published = published
    this.#pruner = new Pruner(options)
    this.#known = knownOf(published?.entries.pieces ?? new Pieces())
  }

  save(params: SaveParams): Promise<Saved | undefined> {
    return this.#turn.take(() => this.#save(params))
  }

  published(saved: Saved, keep: readonly SnapshotRef[]): void {
    this.#published = held(saved.manifest, this.#known.pieces)
    this.#stale = true
    this.#pruner.published(saved, keep)
  }

  prune(signal?: AbortSignal, toHead?: boolean): Promise<{ removed: number }> {
    return this.#turn.take(async () => {
      const gone = await this.#pruner.prune(signal, toHead)
      // Live pieces of objects that are mostly dead are read and stored again with the next save.
      const useless = new Set([...gone, ...this.#pruner.tired(this.#published)])
      if (useless.size === 0) return { removed: 0 }
      this.#known.keep((piece) => !useless.has(this.#known.pieces.stretch(piece).key))
      if (this.#tree !== undefined) this.#tree = { ...this.#tree, entries: this.#tree.entries.without(useless) }
      return { removed: gone.size }
    })
  }

  async #save(params: SaveParams): Promise<Saved | undefined> {
    this.#uploaded = 0
    this.#forget()
    const name = (): string => `${this.#options.at}p-${this.#id}-${this.#sequence++}`
    const read = { bytes: 0, total: 0 }
    let sent = 0
    const report = (): void => {
      // What was read just now may count as held a moment before it counts as read.
      sent = Math.max(sent, read.bytes - packer.held)
      params.progress?.({ ...read, bytes: sent })
    }
    const stored = (key: string, bytes: number): void => this.#stored(key, bytes)
    const packer = new Packer(this.#options, this.#known, name, { stored, left: report }, params.signal)
    try {
      const tell = (bytes: number, total: number): void => {
        Object.assign(read, { bytes, total })
        report()
      }
      const look = await new ChangedFiles(this.#options, params, packer, tell).look(this.#tree)
      const entries = this.#entries(look, params.only)
      const same = this.#published !== undefined && isSameTree(entries, this.#published.entries)
      if (this.#tree !== undefined) releaseStats(this.#tree.scan)
      this.#tree = look.tree
      this.unreadable = look.unreadable
      this.#warn(look)
      const quiet = look.unquiet.length === 0
      if (same && (this.#published?.quiet === true || !quiet)) return undefined
      return await this.#upload({ v: VERSION, entries, quiet, unquiet: look.unquiet }, params.signal)
    } finally {
      await packer.drop()
      doneWith(this.#tree?.entries.length ?? 0)
    }
  }

  /** Forgets pieces that only older snapshots or failed saves have, once these are more than a quarter of the others. */
  #forget(): void {
    const { pieces } = this.#known
    const marks = new Uint8Array(pieces.count)
    this.#published?.entries.mark(marks)
    this.#tree?.entries.mark(marks)
    if (!this.#stale) this.#known.mark(marks)
    this.#stale = false
    const needed = marks.reduce((sum, mark) => sum + mark, 0)
    if (pieces.count <= needed * 1.25) return
    const kept = pieces.only(marks)
    const move = (entries: HeldEntries): HeldEntries => entries.moved(kept.pieces, kept.numbers)
    if (this.#published !== undefined) this.#published = { ...this.#published, entries: move(this.#published.entries) }
    if (this.#tree !== undefined) this.#tree = { ...this.#tree, entries: move(this.#tree.entries) }
    this.#known = this.#known.moved(kept.pieces, kept.numbers)
    doneWith(pieces.count)
  }

  /** What the look found. What it skipped, or could not read, stays as it was published last. */
  #entries({ tree, unreadable }: Look, only: SaveParams['only']): HeldEntries {
    const read = tree.entries.whole()
    if (unreadable.length === 0 && !only) return read
    const unread = new Set(unreadable)
    const isUnread = (path: string): boolean => path !== '' && (unread.has(path) || isUnread(parentPath(path)))
    const isBlind = (path: string): boolean => only?.(path) === false || (unread.size > 0 && isUnread(path))
    return keepEntries(read, this.#published?.entries, isBlind)
  }

  async #upload(manifest: Manifest, signal: AbortSignal | undefined): Promise<Saved> {
    const { store, root, at, patience } = this.#options
    const { bytes, digest } = await encodeManifest(manifest)
    const key = manifestKey({ at, digest })
    await patiently(() => store.write(root + key, bytes, undefined, signal), signal, patience)
    this.#stored(key, bytes.length)
    let files = 0
    let total = 0
    for (const entry of manifest.entries) {
      if (entry.type !== 'file') continue
      files += 1
      total += entry.size
    }
    const ref = { digest, at, savedAt: new Date().toISOString(), quiet: manifest.quiet, files, bytes: total }
    const saved: Saved = { ref, manifest, uploadedBytes: this.#uploaded }
    this.#pruner.pending(saved)
    return saved
  }

  #stored(key: string, bytes: number): void {
    this.#uploaded += bytes
    this.#pruner.stored(key, bytes)
  }

  #warn({ tree, unquiet, unreadable }: Look): void {
    this.#warnOnce('not saved, as sockets, pipes, devices and file systems of the kernel never are', tree.scan.special)
    this.#warnOnce('could not be read', unreadable)
    this.#warnOnce('kept changing while it was saved', unquiet)
  }

  #warnOnce(what: string, paths: readonly string[]): void {
    const fresh = paths.filter((path) => !this.#warned.has(path))
    for (const path of fresh) this.#warned.add(path)
    if (fresh.length > 0) this.#options.warn(`${what}: ${nameSome(fresh)}`)
  }
}

/** Those of them that are stored: not zeros. */
function knownOf(pieces: Pieces): KnownPieces {
  const known = new KnownPieces(pieces)
  for (let piece = 0; piece < pieces.count; piece++) if (pieces.stretch(piece) !== NOWHERE) known.add(piece)
  return known
}
