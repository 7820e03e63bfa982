/**
 * `data`: downloads everything below a place into a folder before the script starts, in ranges, in parallel, and with bounded memory.
 * Somebody else has chosen the names, so they are checked before they become paths. An incomplete file is never visible.
 */
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { formatDuration } from '../../lib/duration.ts'
import { hasCode, isFull } from '../../lib/error-code.ts'
import { writeAll } from '../../lib/files.ts'
import { free } from '../../lib/heap.ts'
import { run } from '../../lib/run.ts'
import { messageOf, plural } from '../../lib/text.ts'
import { patiently } from '../../snapshot/outage.ts'
import { isConfined, showPath } from '../../snapshot/path.ts'
import type { FetchedData } from '../../wire/machine.ts'
import { isStoreError, ONLY_READ, type Store, type StoreEntry, type StorePlace } from '../../wire/store.ts'
import { isMountPoint } from './mount-point.ts'

/** Bytes of one read, which is kept in memory until it is written. */
const PART = 4 << 20
/** Reads at the same time. */
const LANES = 16
/** Milliseconds between two progress messages. */
const NEWS = 15_000

export interface DataParams {
  /** Folder of this machine, on whose disk the data is put. */
  readonly home: string
  readonly open: (place: StorePlace) => Promise<Store>
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

/** Resolves to why it failed, for people, or to `undefined`: all data is there. */
export async function bringData(wanted: readonly FetchedData[], params: DataParams): Promise<string | undefined> {
  for (const [at, { from, path }] of wanted.entries()) {
    const folder = join(params.home, 'data', String(at))
    try {
      await bring(from, folder, params)
      await show(folder, path)
    } catch (error) {
      params.signal.throwIfAborted()
      return `data: ${from.url}: ${reasonOf(error, from, path)}`
    }
  }
  return undefined
}

function reasonOf(error: unknown, { url }: StorePlace, path: string): string {
  const why = messageOf(error)
  if (isFull(error)) return 'it does not fit on the disk: give a larger one (disk-size), or scratch'
  if (!isStoreError(error, 'denied')) return why
  return `the identity of this machine must be allowed to list and read it (${why}); tpi permissions --data ${url}:${path} prints what is needed`
}

/** Mounts the folder at the path that the user has named. (A link would not do, because a container sees only what is mounted there.) */
async function show(folder: string, path: string): Promise<void> {
  if (await isMountPoint(path)) return
  await mkdir(path, { recursive: true })
  await run('mount', ['--bind', folder, path])
}

async function bring(from: StorePlace, folder: string, { open: opened, say, signal }: DataParams): Promise<void> {
  const mark = `${folder}.complete`
  // An earlier slot on this machine, or an earlier agent, has downloaded it already.
  if ((await readFile(mark, 'utf8').catch(() => undefined)) === from.url) return
  const store = await opened({ ...from, settings: { ...from.settings, [ONLY_READ]: 'true' } })
  try {
    const fetching = new Fetching(store, folder, signal)
    const begun = performance.now()
    const seconds = (): number => Math.max(1, Math.round((performance.now() - begun) / 1000))
    say(`data: fetches ${from.url}`)
    const news = setInterval(() => say(`data: ${fetching.soFar()} of ${from.url} in ${formatDuration(seconds())}`), NEWS)
    await fetching.all().finally(() => clearInterval(news))
    if (fetching.files === 0) throw new Error('there are no files below it')
    await writeFile(mark, from.url)
    say(`data: ${from.url} is there: ${fetching.soFar()} in ${formatDuration(seconds())}`)
  } finally {
    await store.close?.()
  }
}

/** A file that is being downloaded. */
interface Arriving {
  readonly entry: StoreEntry
  readonly handle: FileHandle
  readonly part: string
  /** How many of its reads are not finished. */
  left: number
  version?: string
}

/** A range of a file. */
interface Read {
  readonly file: Arriving
  readonly from: number
  readonly to: number
}

export class Fetching {
  readonly #store: Store
  readonly #folder: string
  readonly #signal: AbortSignal
  readonly #open = new Set<Arriving>()
  files = 0
  #bytes = 0
  #number = 0

  constructor(store: Store, folder: string, signal: AbortSignal) {
    this.#store = store
    this.#folder = folder
    this.#signal = signal
  }

  soFar(): string {
    return `${plural(this.files, 'file')}, ${formatBytes(this.#bytes)}`
  }

  /** Rejects with the first failure, after all writes have stopped. */
  async all(): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const reads = this.#reads()
    const failed = new AbortController()
    const lane = async (): Promise<void> => {
      for (;;) {
        failed.signal.throwIfAborted()
        const { value, done } = await reads.next()
        if (done) return
        await this.#read(value)
      }
    }
    await Promise.all(Array.from({ length: LANES }, async () => lane().catch((error: unknown) => failed.abort(error))))
    for (const { handle } of this.#open) await handle.close().catch(() => undefined)
    await rm(this.#parts, { recursive: true, force: true })
    failed.signal.throwIfAborted()
  }

  get #parts(): string {
    return `${this.#folder}.parts`
  }

  /** All reads, one after the other. A file is opened when its first read is asked for, so few files are open at the same time. */
  async *#reads(): AsyncGenerator<Read> {
    await mkdir(this.#parts, { recursive: true })
    for await (const entry of this.#entries()) {
      if (!isConfined(entry.key)) throw new Error(`${showPath(entry.key)} is not a name that a file can have here`)
      const at = join(this.#folder, entry.key)
      if ((await stat(at).catch(() => undefined))?.size === entry.size) this.#note(entry.size)
      else {
        const part = join(this.#parts, String(this.#number++))
        const left = Math.max(1, Math.ceil(entry.size / PART))
        const file: Arriving = { entry, part, left, handle: await open(part, 'w', 0o644) }
        this.#open.add(file)
        for (let from = 0; from === 0 || from < entry.size; from += PART) yield { file, from, to: Math.min(from + PART, entry.size) }
      }
    }
  }

  /** All objects. A list that is interrupted is asked for again: from behind the last key that it gave, or as a whole if it always is. */
  async *#entries(): AsyncGenerator<StoreEntry> {
    let last: string | undefined
    const given = this.#store.listsFromStart ? new Set<string>() : undefined
    for (;;) {
      const { list, first } = await patiently(async () => {
        const begun = this.#store.list('', last, this.#signal)[Symbol.asyncIterator]()
        return { list: begun, first: await begun.next() }
      }, this.#signal)
      for (let next: IteratorResult<StoreEntry> | undefined = first; next; next = await list.next().catch(() => undefined)) {
        if (next.done) return
        const { key } = next.value
        if (given?.has(key)) continue
        if (given) given.add(key)
        else last = key
        yield next.value
      }
    }
  }

  async #read({ file, from, to }: Read): Promise<void> {
    const { entry, handle } = file
    const { key } = entry
    const found = await patiently(async () => this.#store.read(key, { from, to }, this.#signal), this.#signal)
    if (!found) throw new Error(`${key} is no longer there`)
    file.version ??= found.version
    if (found.version !== file.version || found.bytes.length !== to - from) throw new Error(`${key} changes while it is read`)
    await writeAll(handle, found.bytes, from)
    this.#bytes += to - from
    // The store has handed these bytes over, so nobody else uses them.
    free(found.bytes)
    file.left -= 1
    if (file.left === 0) await this.#land(file)
  }

  async #land(file: Arriving): Promise<void> {
    const { entry, handle, part } = file
    this.#open.delete(file)
    await handle.close()
    const at = join(this.#folder, entry.key)
    try {
      await mkdir(dirname(at), { recursive: true })
      await rename(part, at)
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY')) throw error
      throw new Error(`${showPath(entry.key)} would have to be both a file and a folder, or is in a folder that is a file`, {
        cause: error,
      })
    }
    this.files += 1
  }

  #note(bytes: number): void {
    this.#bytes += bytes
    this.files += 1
  }
}
