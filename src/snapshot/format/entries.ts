/**
 * Entries in columns, one number each beside its path, because a hundred thousand of them must fit beside the script's own memory. An entry is an
 * object only while somebody looks at it.
 */
import { hash } from 'node:crypto'
import { grown } from '../../lib/heap.ts'
import { FILE, FOLDER, LINK } from '../folder/scan.ts'
import type { Entries, Entry, FileEntry, Piece } from '../types.ts'
import { fromHex, NOWHERE, type Pieces, type Stretch } from './pieces.ts'

/** The column `content` has the number of the piece if a file has exactly one, or one of these. */
export const UNREAD = -1
/** A folder, or an empty file. */
const BARE = -2
/** A link, or a file of several pieces. */
const MORE = -3

export interface EntryColumns {
  /** In the order of `comparePaths`. The columns beside it are at least as long. */
  readonly paths: readonly string[]
  /** As in a scan. */
  readonly kind: Uint8Array
  readonly mode: Uint16Array
  /** Nanoseconds since the epoch. */
  readonly mtime: BigInt64Array
  readonly content: Int32Array
  /** Where a link points, or the pieces of a file that has several. */
  readonly more: Map<number, string | readonly number[]>
}

export class HeldEntries implements Entries {
  readonly columns: EntryColumns
  readonly pieces: Pieces

  constructor(columns: EntryColumns, pieces: Pieces) {
    this.columns = columns
    this.pieces = pieces
  }

  get length(): number {
    return this.columns.paths.length
  }

  isRead(number: number): boolean {
    return (this.columns.content[number] ?? UNREAD) !== UNREAD
  }

  /** `undefined`: not read yet, or not readable. */
  at(number: number): Entry | undefined {
    const { paths, kind, mode, mtime, more } = this.columns
    const path = paths[number]
    if (path === undefined || !this.isRead(number)) return undefined
    if (kind[number] === FILE) return new HeldFile(this, number)
    const named = { path, mode: mode[number] ?? 0, mtime: String(mtime[number]) }
    return kind[number] === LINK ? { type: 'link', ...named, target: String(more.get(number)) } : { type: 'folder', ...named }
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (let number = 0; number < this.length; number++) {
      const entry = this.at(number)
      if (entry !== undefined) yield entry
    }
  }

  /** Pieces of a file, by number. */
  piecesOf(number: number): readonly number[] {
    const content = this.columns.content[number] ?? UNREAD
    if (content >= 0) return [content]
    const more = content === MORE ? this.columns.more.get(number) : undefined
    return typeof more === 'object' ? more : []
  }

  /** Bytes of a file. */
  sizeOf(number: number): number {
    return this.piecesOf(number).reduce((total, piece) => total + this.pieces.size(piece), 0)
  }

  /** Whether a piece of the entry lies in one of the objects. */
  liesIn(number: number, keys: ReadonlySet<string>): boolean {
    return this.piecesOf(number).some((piece) => keys.has(this.pieces.stretch(piece).key))
  }

  /** A file of these pieces, a link that points there, or nothing more. */
  set(number: number, what: string | readonly number[]): void {
    const { content, more } = this.columns
    const [first, second] = typeof what === 'string' ? [] : what
    if (typeof what !== 'string' && second === undefined) content[number] = first ?? BARE
    else {
      content[number] = MORE
      more.set(number, what)
    }
  }

  /** Takes over what another list with the same pieces has for an equal path. */
  take(number: number, { columns: theirs }: HeldEntries, other: number): void {
    const { mtime, content, more } = this.columns
    const what = theirs.more.get(other)
    mtime[number] = theirs.mtime[other] ?? 0n
    content[number] = theirs.content[other] ?? UNREAD
    if (what !== undefined) more.set(number, what)
  }

  /** The same list without entries that are not read. */
  whole(): HeldEntries {
    const { paths, content } = this.columns
    if (!content.subarray(0, paths.length).includes(UNREAD)) return this
    const gatherer = new Gatherer(this.pieces)
    for (const entry of this) gatherer.add(entry)
    return gatherer.end()
  }

  /** The same list, in which files with a piece in one of these objects count as not read. */
  without(keys: ReadonlySet<string>): HeldEntries {
    const content = this.columns.content.slice()
    for (let number = 0; number < this.length; number++) if (this.liesIn(number, keys)) content[number] = UNREAD
    return new HeldEntries({ ...this.columns, content }, this.pieces)
  }

  /** Sets a 1 for each piece that an entry has. */
  mark(marks: Uint8Array): void {
    for (let number = 0; number < this.length; number++) for (const piece of this.piecesOf(number)) marks[piece] = 1
  }

  /** The same list, with another table of pieces. `numbers`: for each piece here, its number there. */
  moved(pieces: Pieces, numbers: Int32Array): HeldEntries {
    const { content, more } = this.columns
    const to = (piece: number): number => numbers[piece] ?? 0
    const moved = [...more].map(([number, what]) => [number, typeof what === 'string' ? what : what.map(to)] as const)
    const columns = { ...this.columns, content: content.map((what) => (what < 0 ? what : to(what))), more: new Map(moved) }
    return new HeldEntries(columns, pieces)
  }
}

class HeldFile implements FileEntry {
  readonly held: HeldEntries
  readonly number: number

  constructor(held: HeldEntries, number: number) {
    this.held = held
    this.number = number
  }

  get type(): 'file' {
    return 'file'
  }
  get path(): string {
    return this.held.columns.paths[this.number] ?? ''
  }
  get mode(): number {
    return this.held.columns.mode[this.number] ?? 0
  }
  get mtime(): string {
    return String(this.held.columns.mtime[this.number])
  }
  get size(): number {
    return this.held.sizeOf(this.number)
  }
  get hash(): string {
    const { pieces } = this.held
    return contentHash(this.held.piecesOf(this.number).map((piece) => pieces.hex(piece)))
  }
  get pieces(): readonly Piece[] {
    const { pieces } = this.held
    return this.held.piecesOf(this.number).map((piece) => pieces.at(piece))
  }
}

const KINDS = { file: FILE, folder: FOLDER, link: LINK } as const

/** Builds a list from entries that come one by one, in order. */
export class Gatherer {
  readonly #pieces: Pieces
  readonly #paths: string[] = []
  #kind = new Uint8Array(1024)
  #mode = new Uint16Array(1024)
  #mtime = new BigInt64Array(1024)
  #content = new Int32Array(1024)
  readonly #more: EntryColumns['more'] = new Map()
  #held: HeldEntries
  #last: Stretch = NOWHERE

  constructor(pieces: Pieces) {
    this.#pieces = pieces
    this.#held = this.#hold()
  }

  add(entry: Entry): void {
    const number = this.#paths.push(entry.path) - 1
    if (number === this.#kind.length) this.#grow()
    this.#kind[number] = KINDS[entry.type]
    this.#mode[number] = entry.mode
    this.#mtime[number] = BigInt(entry.mtime)
    if (entry instanceof HeldFile && entry.held.pieces === this.#pieces) this.#held.take(number, entry.held, entry.number)
    else if (entry.type === 'file')
      this.#held.set(
        number,
        entry.pieces.map((piece) => this.#piece(piece)),
      )
    else this.#held.set(number, entry.type === 'link' ? entry.target : [])
  }

  end(): HeldEntries {
    return this.#held
  }

  #hold(): HeldEntries {
    const columns = { paths: this.#paths, kind: this.#kind, mode: this.#mode, mtime: this.#mtime, content: this.#content, more: this.#more }
    return new HeldEntries(columns, this.#pieces)
  }

  #piece({ sha256, key, from, length, offset, size, zstd }: Piece): number {
    const last = this.#last
    const near = last.key === key && last.zstd === zstd && (!zstd || (last.from === from && last.length === length))
    if (key === '') this.#last = NOWHERE
    else if (!near) this.#last = { key, from: zstd ? from : 0, length: zstd ? length : 0, zstd }
    return this.#pieces.add(fromHex(sha256), size, this.#last, zstd ? offset : from)
  }

  #grow(): void {
    const length = this.#kind.length * 2
    this.#kind = grown(this.#kind, length)
    this.#mode = grown(this.#mode, length)
    this.#mtime = grown(this.#mtime, length)
    this.#content = grown(this.#content, length)
    this.#held = this.#hold()
  }
}

/** The same entries in columns. Their pieces are added to `pieces`. */
export function holdEntries(entries: Entries, pieces: Pieces): HeldEntries {
  if (entries instanceof HeldEntries && entries.pieces === pieces) return entries
  const gatherer = new Gatherer(pieces)
  for (const entry of entries) gatherer.add(entry)
  return gatherer.end()
}

const EMPTY = hash('sha256', '')

/** `FileEntry.hash`, from the hashes (hex) of the pieces. */
export function contentHash(hashes: readonly string[]): string {
  const [first, second] = hashes
  if (first === undefined) return EMPTY
  return second === undefined ? first : hash('sha256', hashes.join(''))
}
