/** Saves a folder into the store again and again; see `Saver`. */
import { randomBytes } from 'node:crypto'
import type { SnapshotRef } from '../wire/slot.ts'
import { Cycle, type Look } from './cycle.ts'
import { HeldPiece } from './entries.ts'
import { KnownPieces } from './known.ts'
import { encodeManifest, manifestKey, objectKeys } from './manifest.ts'
import { doneWith } from './memory.ts'
import { Packer } from './pack.ts'
import { nameSome } from './path.ts'
import { patiently } from './patience.ts'
import { Pruner } from './prune.ts'
import { seedTree } from './seed.ts'
import { keepEntries, liesIn, shareEntries, type Tree } from './tree.ts'
import type { Entry, Manifest, Saved, Saver, SaverOptions, SaveWish } from './types.ts'

/** How many paths a warning names. */

export async function openSaver(options: SaverOptions): Promise<Saver> {
  const restored = options.restored !== undefined && isOwn(options.restored.manifest, options.at) ? options.restored : undefined
  const tree = restored?.untouched === true ? await seedTree(options, restored.manifest) : undefined
  return new FolderSaver(options, restored?.manifest, tree)
}

/** A slot points only into its own folder and into `base/`: what lies elsewhere may be pruned by somebody else. */
function isOwn(manifest: Manifest, at: string): boolean {
  for (const key of objectKeys(manifest)) if (!key.startsWith(at) && !key.startsWith('base/')) return false
  return true
}

class FolderSaver implements Saver {
  readonly #options: Omit<SaverOptions, 'restored'>
  /** Random: names of objects are never used twice, also not by a former holder that comes back to life. */
  readonly #id = randomBytes(6).toString('hex')
  #sequence = 0
  #tree: Tree | undefined
  #published: Manifest | undefined
  /** Pieces that are in the store, by SHA-256. */
  readonly #known = new KnownPieces()
  /** Objects that are mostly dead: what lives in them is read and stored anew with the next save. */
  #tired: ReadonlySet<string> = new Set()
  readonly #pruner: Pruner
  readonly #warned = new Set<string>()
  #uploaded = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: SaverOptions, restored: Manifest | undefined, tree: Tree | undefined) {
    // Not what the tree was restored from: it would be held as long as the saver.
    const { restored: _restored, ...rest } = options
    this.#options = rest
    this.#tree = tree
    this.#published = restored
    this.#pruner = new Pruner(options)
    if (restored) this.#known.become(heldPieces(restored))
  }

  save(wish: SaveWish): Promise<Saved | undefined> {
    return this.#inTurn(() => this.#save(wish))
  }

  published(saved: Saved, keep: readonly SnapshotRef[]): void {
    this.#published = saved.manifest
    // What only older snapshots hold is forgotten, before it is as much again as what is there.
    const pieces = heldPieces(saved.manifest)
    if (this.#known.size > pieces.length * 1.25) this.#known.become(pieces)
    this.#pruner.published(saved, keep)
  }

  prune(signal?: AbortSignal, toHead?: boolean): Promise<{ removed: number }> {
    return this.#inTurn(async () => {
      const gone = await this.#pruner.prune(signal, toHead)
      this.#tired = this.#pruner.tired(this.#published)
      const useless = new Set([...gone, ...this.#tired])
      if (useless.size > 0) this.#known.keep((piece) => !useless.has(piece.key))
      if (this.#tree !== undefined) forget(this.#tree, useless)
      return { removed: gone.size }
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #save(wish: SaveWish): Promise<Saved | undefined> {
    this.#uploaded = 0
    const name = (): string => `${this.#options.at}p-${this.#id}-${this.#sequence++}`
    const packer = new Packer(this.#options, this.#known, name, (key, bytes) => this.#stored(key, bytes), wish.signal)
    try {
      const tell = (files: number, bytes: number): void => this.#options.progress?.({ files, bytes, uploaded: this.#uploaded })
      const look = await new Cycle(this.#options, wish, packer, tell).look(this.#tree)
      const { entries, same } = this.#entries(look)
      this.#tree = look.tree
      this.#warn(look)
      const quiet = look.unquiet.length === 0
      if (same && (this.#published?.quiet === true || !quiet)) return undefined
      return await this.#upload({ v: 1, entries, quiet, unquiet: look.unquiet }, wish.signal)
    } finally {
      await packer.drop()
      doneWith(this.#tree?.entries.length ?? 0)
    }
  }

  /** What the look found; where it was not allowed to look, what was there before stays. */
  #entries({ tree, unreadable }: Look): { entries: readonly Entry[]; same: boolean } {
    const read = tree.entries.filter((entry) => entry !== undefined)
    if (unreadable.length > 0) {
      const isBlind = (path: string): boolean => unreadable.some((other) => path === other || path.startsWith(`${other}/`))
      return shareEntries(keepEntries(read, this.#published, isBlind), this.#published, this.#tired)
    }
    const shared = shareEntries(read, this.#published, this.#tired)
    let at = 0
    for (const [number, entry] of tree.entries.entries()) if (entry !== undefined) tree.entries[number] = shared.entries[at++]
    return shared
  }

  async #upload(manifest: Manifest, signal: AbortSignal | undefined): Promise<Saved> {
    const { store, root, at } = this.#options
    const { bytes, digest } = await encodeManifest(manifest)
    const key = manifestKey({ at, digest })
    await patiently(() => store.write(root + key, bytes, undefined, signal), signal)
    this.#stored(key, bytes.length)
    const files = manifest.entries.filter((entry) => entry.type === 'file')
    const total = files.reduce((sum, file) => sum + file.size, 0)
    const ref = { digest, at, savedAt: new Date().toISOString(), quiet: manifest.quiet, files: files.length, bytes: total }
    const saved: Saved = { ref, manifest, unquiet: manifest.unquiet, uploadedBytes: this.#uploaded }
    this.#pruner.pending(saved)
    return saved
  }

  #stored(key: string, bytes: number): void {
    this.#uploaded += bytes
    this.#pruner.stored(key, bytes)
  }

  #warn({ tree, unquiet, unreadable }: Look): void {
    this.#warnOnce('not saved, it is a socket, pipe or device', tree.scan.special)
    this.#warnOnce('could not be read', unreadable)
    this.#warnOnce('kept changing while it was saved', unquiet)
  }

  #warnOnce(what: string, paths: readonly string[]): void {
    const fresh = paths.filter((path) => !this.#warned.has(path))
    for (const path of fresh) this.#warned.add(path)
    if (fresh.length > 0) this.#options.warn(`${what}: ${nameSome(fresh)}`)
  }
}

/** Pieces that lie somewhere. */
function heldPieces({ entries }: Manifest): readonly HeldPiece[] {
  return entries.flatMap((entry) =>
    entry.type === 'file' ? entry.pieces.filter((piece) => piece instanceof HeldPiece && piece.key !== '') : [],
  ) as HeldPiece[]
}

/** Files with a piece in one of the objects are read again. */
function forget({ entries }: Tree, keys: ReadonlySet<string>): void {
  for (const [number, entry] of entries.entries()) if (entry !== undefined && liesIn(entry, keys)) entries[number] = undefined
}
