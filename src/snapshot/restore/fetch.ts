/** Brings the pieces of a manifest from the store to the disk. Reads ranges of objects in parallel, in a limited amount of memory. */
import { free } from '../../lib/heap.ts'
import type { Store } from '../../wire/store.ts'
import { SnapshotError } from '../errors.ts'
import { SHARED_FRAME } from '../format/frames.ts'
import { LARGEST_FRAME } from '../format/limits.ts'
import { digest } from '../format/pack.ts'
import { fromHex } from '../format/pieces.ts'
import { unpack, type ZstdOutput } from '../format/zstd.ts'
import { patiently } from '../outage.ts'
import { showPath } from '../path.ts'
import { Turns } from '../turns.ts'
import type { Entries, FileEntry, FolderEntry, Manifest, Piece, RestoreOptions } from '../types.ts'
import { Placer } from './extract.ts'

/** Bytes of a gap between two pieces: up to so many are read too, because another call would take longer. */
const GAP = 256 << 10
/** Bytes of all reads in flight at most. With many entries, what is held of each is taken off. One read has half of them, so that two overlap. */
const IN_FLIGHT = 8 << 20
const HELD_PER_ENTRY = 40
/** But never fewer than these. */
const LEAST_IN_FLIGHT = 4 << 20
const MOST_RUNS = 16
/** Entries whose pieces are sorted by object at a time. Neighbours mostly lie in the same objects. */
const AT_ONCE = 20_000

interface Want {
  readonly piece: Piece
  readonly entry: FileEntry
  /** Where the piece begins in the file. */
  readonly at: number
}

interface Stretch {
  readonly key: string
  readonly from: number
  to: number
  readonly wants: Want[]
}

export interface SnapshotSource {
  readonly store: Store
  readonly root: string
  readonly progress?: RestoreOptions['progress']
  readonly signal?: AbortSignal
  /** Milliseconds for which an outage of the store is waited out; absent: until the signal. */
  readonly patience?: number
}

/** Makes all entries below `folder`, which exists and is empty. Throws `corrupt`, `lost`, `disk-full`, `local`, and StoreError. */
export async function fetchTree(source: SnapshotSource, manifest: Manifest, folder: string): Promise<void> {
  await new Fetch(source, new Placer(folder)).run(manifest.entries)
}

class Fetch {
  readonly #source: SnapshotSource
  readonly #placer: Placer
  #done = { files: 0, bytes: 0, total: 0 }
  /** For each read under way, bytes of files that have arrived and are not on the disk yet. */
  readonly #ahead = new Map<Stretch, number>()
  readonly #turns: Turns
  /** Bytes of the reads that are under way, and that may be. */
  #inFlight = 0
  #most = IN_FLIGHT

  constructor(source: SnapshotSource, placer: Placer) {
    this.#source = source
    this.#placer = placer
    this.#turns = new Turns(source.signal)
  }

  async run(entries: Entries): Promise<void> {
    this.#most = Math.max(LEAST_IN_FLIGHT, IN_FLIGHT - entries.length * HELD_PER_ENTRY)
    for (const entry of entries) if (entry.type === 'file') this.#done.total += entry.size
    await this.#stretches(this.#prepare(entries))
    const folders: FolderEntry[] = []
    for (const entry of entries) {
      if (entry.type === 'link') this.#placer.addLink(entry)
      if (entry.type === 'folder') folders.push(entry)
    }
    for (const entry of folders.reverse()) this.#placer.finishFolder(entry)
  }

  /**
   * Makes folders, and files that need several writes, and yields what to read. It goes through some entries at a time, when the next read is
   * asked for.
   */
  *#prepare(entries: Entries): Generator<Stretch> {
    const wants = new Map<string, Want[]>()
    let sorted = 0
    for (const entry of entries) {
      if (++sorted % AT_ONCE === 0) {
        yield* allStretches(wants, this.#most / 2)
        wants.clear()
      }
      if (entry.type === 'folder') this.#placer.addFolder(entry)
      if (entry.type !== 'file') continue
      if (!this.#placer.begin(entry)) {
        this.#note(entry, entry.size)
        continue
      }
      let at = 0
      for (const piece of entry.pieces) {
        if (piece.key !== '') listFor(wants, piece.key).push({ piece, entry, at })
        else this.#done.bytes += piece.size
        at += piece.size
      }
    }
    yield* allStretches(wants, this.#most / 2)
  }

  async #stretches(stretches: Iterable<Stretch>): Promise<void> {
    const running = new Set<Promise<void>>()
    let failure: { error: unknown } | undefined
    const fail = (error: unknown): void => {
      failure ??= { error }
    }
    try {
      for (const stretch of stretches) {
        const size = stretch.to - stretch.from
        while (this.#isBusy(running.size, size)) await Promise.race(running)
        if (failure !== undefined) break
        this.#inFlight += size
        const task = this.#one(stretch)
          .catch(fail)
          .finally(() => {
            this.#inFlight -= size
            running.delete(task)
          })
        running.add(task)
      }
    } catch (error) {
      // Making the stretches makes files and folders: the disk may be full.
      fail(error)
    }
    // The caller wipes the folder when it hears of the failure: by then, nothing may write into it any more.
    await Promise.all(running)
    if (failure !== undefined) throw failure.error
  }

  #isBusy(running: number, size: number): boolean {
    return running >= MOST_RUNS || (running > 0 && this.#inFlight + size > this.#most)
  }

  async #one(stretch: Stretch): Promise<void> {
    await this.#bring(stretch).finally(() => this.#ahead.delete(stretch))
  }

  async #bring(stretch: Stretch): Promise<void> {
    const { key, from, to, wants } = stretch
    const { store, root, signal, patience } = this.#source
    const wanted = wants.reduce((sum, { piece }) => sum + piece.size, 0)
    const received = (bytes: number): void => {
      // A server may send more than it was asked for.
      this.#ahead.set(stretch, wanted * Math.min(1, bytes / (to - from)))
      this.#tell()
    }
    const object = await patiently(() => store.read(root + key, { from, to }, signal, received), signal, patience)
    if (object === undefined) throw new SnapshotError('lost', `${key} is not in the store`)
    const bytes = Buffer.from(object.bytes.buffer, object.bytes.byteOffset, object.bytes.byteLength)
    let frame: Unpacked | undefined
    for (const want of wants) {
      const { piece } = want
      const stored = bytes.subarray(piece.from - from, piece.from - from + piece.length)
      if (stored.length !== piece.length) throw damaged(want)
      if (!piece.zstd) await this.#place(stretch, want, stored)
      else {
        if (frame?.from !== piece.from) {
          frame?.plain.free()
          frame = await unpacked(stored, want)
        }
        await this.#place(stretch, want, frame.plain.bytes.subarray(piece.offset, piece.offset + piece.size))
      }
    }
    frame?.plain.free()
    free(object.bytes) // nobody else holds them: a store makes new ones for each reader
  }

  async #place(stretch: Stretch, want: Want, plain: Buffer): Promise<void> {
    const { piece, entry, at } = want
    if (plain.length !== piece.size) throw damaged(want)
    if ((await digest(plain as Buffer<ArrayBuffer>)) !== fromHex(piece.sha256)) throw damaged(want)
    await this.#placer.put(entry, at, plain)
    this.#ahead.set(stretch, Math.max(0, (this.#ahead.get(stretch) ?? 0) - piece.size))
    this.#note(this.#placer.isWhole(entry) ? entry : undefined, piece.size)
    if (this.#turns.isDue) await this.#turns.next()
  }

  #note(whole: FileEntry | undefined, bytes: number): void {
    this.#done.bytes += bytes
    if (whole !== undefined) this.#done.files += 1
    this.#tell()
  }

  #tell(): void {
    const { progress } = this.#source
    if (progress === undefined) return
    const { bytes, ...done } = this.#done
    progress({ ...done, bytes: [...this.#ahead.values()].reduce((sum, ahead) => sum + ahead, bytes) })
  }
}

function listFor(lists: Map<string, Want[]>, key: string): Want[] {
  const list = lists.get(key)
  if (list !== undefined) return list
  const fresh: Want[] = []
  lists.set(key, fresh)
  return fresh
}

function* allStretches(wants: ReadonlyMap<string, Want[]>, most: number): Generator<Stretch> {
  for (const [key, list] of wants) yield* cutStretches(key, list, most)
}

/** Each of at most `most` bytes, except for a single piece that is longer. */
function cutStretches(key: string, wants: Want[], most: number): Stretch[] {
  const stretches: Stretch[] = []
  let stretch: Stretch | undefined
  for (const want of wants.sort((a, b) => a.piece.from - b.piece.from || a.piece.offset - b.piece.offset)) {
    const end = want.piece.from + want.piece.length
    if (stretch === undefined || want.piece.from > stretch.to + GAP || end > stretch.from + most) {
      stretch = { key, from: want.piece.from, to: end, wants: [] }
      stretches.push(stretch)
    }
    stretch.to = Math.max(stretch.to, end)
    stretch.wants.push(want)
  }
  return stretches
}

interface Unpacked {
  /** Where the frame begins in its object. */
  readonly from: number
  readonly plain: ZstdOutput
}

async function unpacked(stored: Buffer, want: Want): Promise<Unpacked> {
  const { from, offset, size } = want.piece
  try {
    return { from, plain: await unpack(stored, Math.max(SHARED_FRAME, offset + size), LARGEST_FRAME) }
  } catch (error) {
    throw damaged(want, { cause: error })
  }
}

function damaged({ piece, entry }: Want, options?: ErrorOptions): SnapshotError {
  return new SnapshotError('corrupt', `${showPath(entry.path)} does not match its hash (in ${piece.key})`, options)
}
