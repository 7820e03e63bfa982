/** What a snapshot is made of, and what saving and restoring promise. */
import type { VERSION } from '../wire/parse.ts'
import type { SnapshotRef } from '../wire/slot.ts'
import type { Store } from '../wire/store.ts'

/** Where a snapshot lives: keys are `root + at + …`. */
export interface SnapshotPlace {
  readonly store: Store
  /** `<id>/<incarnation>/` */
  readonly root: string
  /** `base/` or `slots/<n>/snap/` */
  readonly at: string
}

/** Names a snapshot. */
export type NamedRef = Pick<SnapshotRef, 'at' | 'digest'>

/**
 * A run of bytes of an object in the store. Keys are relative to `root`, so a slot's manifest may point into `base/`.
 * A piece of nothing but zeros lies nowhere: its key is empty and its length 0.
 */
export interface Piece {
  readonly key: string
  /** SHA-256 (hex) of the piece's own, uncompressed bytes. */
  readonly sha256: string
  /** Place of the (possibly compressed) frame inside the object. */
  readonly from: number
  readonly length: number
  /** Where the piece begins in the uncompressed frame; small files share frames. */
  readonly offset: number
  /** Uncompressed bytes of the piece. */
  readonly size: number
  readonly zstd: boolean
}

export type Entry = FileEntry | FolderEntry | LinkEntry

interface Named {
  /** `/`-separated, relative to the work directory; never absolute, never with `..`. Bytes that are not UTF-8 survive (see path.ts). */
  readonly path: string
  readonly mode: number
  /** Nanoseconds since the epoch, as a decimal string. */
  readonly mtime: string
}

export interface FileEntry extends Named {
  readonly type: 'file'
  readonly size: number
  /** Identity of the content: SHA-256 of the content up to 4 MiB, of the list of its pieces' hashes (4 MiB each but the last) beyond. */
  readonly hash: string
  readonly pieces: readonly Piece[]
}
export interface FolderEntry extends Named {
  readonly type: 'folder'
}
export interface LinkEntry extends Named {
  readonly type: 'link'
  readonly target: string
}

/** Like a list of entries, but they need not be held as objects. */
export interface Entries extends Iterable<Entry> {
  readonly length: number
  at(number: number): Entry | undefined
}

export interface Manifest {
  readonly v: typeof VERSION
  /** Sorted by path, name by name: the content of a folder follows the folder. */
  readonly entries: Entries
  /** `false`: some files changed while they were read; `unquiet` names them. */
  readonly quiet: boolean
  readonly unquiet: readonly string[]
}

/** Stops and continues every process that may write to the tree (SIGSTOP, SIGCONT of the script's session). */
export interface Freeze {
  stop(): Promise<void>
  resume(): Promise<void>
}

export interface SaverOptions extends SnapshotPlace {
  /** Absolute folder that is saved. */
  readonly folder: string
  /** Which paths are saved at all; default: everything. Folders are asked too. */
  readonly select?: (path: string, isFolder: boolean) => boolean
  /** Paths of an earlier look, in order. Their strings are reused for equal paths, which saves memory. */
  readonly paths?: readonly string[]
  /** Absolute links to a path below the folder are saved as relative ones: the folder has another place on the next machine, and in the results. */
  readonly portable?: boolean
  /**
   * Programs without the rights of this process write there: one may replace a folder by a link just before a file in it is opened, and
   * what the link leads to must not be saved.
   */
  readonly guarded?: boolean
  /** Content put in place of a file's own (a scrubbed `.git/config`). */
  readonly overlay?: ReadonlyMap<string, Uint8Array>
  /**
   * What the tree was restored from: pieces found there are not uploaded again. `untouched`: this process restored it and nothing has run
   * in the folder since, so files that still look as they were made are not even read again.
   */
  readonly restored?: { readonly ref: SnapshotRef; readonly manifest: Manifest; readonly untouched?: boolean }
  /** What slot.json names now, which is not always what was restored. */
  readonly head?: NamedRef | undefined
  /** Milliseconds for which an outage of the store is waited out; absent: until the signal. */
  readonly patience?: number
  readonly warn: (message: string) => void
}

export interface Saved {
  readonly ref: Omit<SnapshotRef, 'epoch'>
  readonly manifest: Manifest
  /** Including the manifest. */
  readonly uploadedBytes: number
}

export interface SaveParams {
  readonly final?: boolean
  readonly freeze?: Freeze
  /** What is looked at; default: everything. For the rest, the snapshot has what was published last. */
  readonly only?: (path: string) => boolean
  /** Of all bytes that have to be read (`total`, which grows if files change meanwhile), how many have been uploaded or were in the store. */
  readonly progress?: (progress: { bytes: number; total: number }) => void
  readonly signal?: AbortSignal
}

/**
 * Saves one folder again and again. It uploads pieces and a manifest; it publishes nothing: the caller names the manifest in slot.json by
 * compare-and-swap and then says `published`.
 */
export interface Saver {
  /**
   * `undefined` if nothing differs from what was published last. `final`: nobody writes any more, so the result is always quiet. Otherwise up to three
   * rounds, then `freeze` for at most 2 s, then an unquiet result.
   * Calls run one after the other. Throws SnapshotError and StoreError; `unavailable` is retried until the signal, or for `patience`.
   */
  save(how: SaveParams): Promise<Saved | undefined>
  /** What the last save could not read: of these paths, and all below them, it has what was published last, if anything. */
  readonly unreadable: readonly string[]
  /** slot.json names it now: the next save is compared with it. `keep`: every other snapshot that must stay whole, newest quiet one first. */
  published(saved: Saved, keep: readonly SnapshotRef[]): void
  /**
   * Deletes objects that no kept or pinned manifest names. Only for the holder, after `published`. Never touches `base/`. `toHead`:
   * snapshots that are kept only to fall back on go too; of an unquiet head the first quiet one of `keep` stays.
   */
  prune(signal?: AbortSignal, toHead?: boolean): Promise<{ removed: number }>
}

export interface RestoreOptions {
  readonly store: Store
  readonly root: string
  /** Tried in order: if one is damaged, a warning says so, and the next one is taken. */
  readonly refs: readonly SnapshotRef[]
  /** Absolute. */
  readonly folder: string
  readonly warn: (message: string) => void
  readonly progress?: (progress: { files: number; bytes: number; total: number }) => void
  readonly signal?: AbortSignal
}

/** Download into a folder of the caller's own; see `download`. */
export type DownloadOptions = RestoreOptions & {
  /** The manifest of the first ref, if it was read already, or the part of it that is wanted. It is not read again. */
  readonly manifest?: Manifest
}

export interface Restored {
  /** The one that was whole; absent when `refs` was empty (an empty work directory). */
  readonly ref?: SnapshotRef
  readonly manifest: Manifest
}
