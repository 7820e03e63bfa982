/** Putting downloaded files where the user wants them, without ever writing over a file that changed since the upload. */
import { createWriteStream } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, open, readFile, rename, rm, symlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newNonce } from '../core/identity.ts'
import { nativePath } from '../snapshot/path.ts'
import { fileHash, linkTarget } from '../snapshot/reader.ts'
import type { Entry, FileEntry } from '../snapshot/types.ts'

export interface Placement {
  /** Downloaded and verified, absolute. */
  readonly from: string
  /** Relative to the output folder. */
  readonly path: string
  readonly entry: Entry
}

export interface PlaceOptions {
  readonly folder: string
  /** What the file was when the deployment was made, if it was uploaded from this very folder. */
  readonly before: (path: string) => Entry | undefined
  /** What an earlier delivery of this deployment left here: path → identity of the content. */
  readonly delivered: Readonly<Record<string, string>>
  /** For a folder that nothing was uploaded from: files older than this were there before the deployment and may be replaced. */
  readonly olderThan?: Date
}

export interface Placed {
  readonly written: readonly string[]
  /** Already there with the same content. */
  readonly same: readonly string[]
  /** Another file has the place: ours lies beside it. */
  readonly beside: ReadonlyMap<string, Beside>
}

export interface Beside {
  /** `<file>~`, or `<file>~2` and so on where that is taken too. */
  readonly path: string
  /** Put there now; else somebody had put the same there before. */
  readonly written: boolean
}

export async function place(items: Iterable<Placement>, options: PlaceOptions): Promise<Placed> {
  const lists: Record<Exclude<Fate, 'beside'>, string[]> = { write: [], same: [] }
  const aside = new Map<string, Beside>()
  // Names that end as ours beside others do: a result may have such a name itself, and neither may take the other's place.
  const taken = new Set<string>()
  for (const item of items) {
    const fate = taken.has(item.path) ? 'beside' : await fateOf(item, item.path, options)
    const beside = fate === 'beside' ? await besides(item, taken, options) : undefined
    const path = beside?.path ?? item.path
    if (beside?.written ?? fate === 'write') await put(item, join(options.folder, path))
    if (LIKE_BESIDE.test(path)) taken.add(path)
    // Folders are made, but nobody counts them among results.
    if (item.entry.type === 'folder') continue
    if (beside) aside.set(item.path, beside)
    else if (fate !== 'beside') lists[fate].push(item.path)
  }
  return { written: lists.write, same: lists.same, beside: aside }
}

const LIKE_BESIDE = /~\d*$/

/** The first of `<file>~`, `<file>~2`, … that is free, holds the same already, or was left by this deployment and is untouched. */
async function besides(item: Placement, taken: ReadonlySet<string>, { folder, delivered }: PlaceOptions): Promise<Beside> {
  for (let number = 1; ; number++) {
    const path = `${item.path}~${number === 1 ? '' : number}`
    if (taken.has(path)) continue
    // Whatever else lies there is somebody's: the user's own, or the result of another run.
    const fate = await fateOf(item, path, { folder, delivered, before: () => undefined })
    if (fate !== 'beside') return { path, written: fate === 'write' }
  }
}

type Fate = 'write' | 'same' | 'beside'

/** Of the item, if it went to `path`. */
async function fateOf(item: Placement, path: string, options: PlaceOptions): Promise<Fate> {
  const target = join(options.folder, path)
  const there = await lstat(nativePath(target)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (!there) return 'write'
  if (item.entry.type === 'folder') return there.isDirectory() ? 'same' : 'beside'
  if (there.isDirectory()) return 'beside'
  if (await holds(target, item.entry)) return 'same'
  const before = options.before(path)
  if (before && (await holds(target, before))) return 'write'
  const ours = options.delivered[path]
  if (ours !== undefined && (await identityAt(target)) === ours) return 'write'
  if (options.olderThan && there.mtime < options.olderThan && there.ctime < options.olderThan) return 'write'
  return 'beside'
}

/** Does the path hold exactly this entry's content? */
async function holds(path: string, entry: Entry): Promise<boolean> {
  return (await identityAt(path)) === identityOf(entry)
}

/** What counts as content: bytes, or where a link points. */
export function identityOf(entry: Entry): string {
  if (entry.type === 'link') return `link ${entry.target}`
  return entry.type === 'folder' ? 'folder' : `file ${entry.hash}`
}

async function identityAt(path: string): Promise<string> {
  const there = await lstat(nativePath(path))
  if (there.isSymbolicLink()) return `link ${linkTarget(path)}`
  if (there.isDirectory()) return 'folder'
  return there.isFile() ? `file ${await fileHash(path)}` : 'special'
}

async function put(item: Placement, target: string): Promise<void> {
  await mkdir(nativePath(dirname(target)), { recursive: true })
  if (item.entry.type === 'folder') return void (await mkdir(nativePath(target), { recursive: true }))
  const temporary = nativePath(`${target}.${newNonce()}.part`)
  try {
    if (item.entry.type === 'link') await symlink(nativePath(item.entry.target), temporary)
    else await moveOrCopy(nativePath(item.from), temporary, item.entry)
    await rename(temporary, nativePath(target))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A rename where the folders share a file system; else a copy, flushed before it gets its name. */
async function moveOrCopy(from: string | Buffer, to: string | Buffer, entry: FileEntry): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to)
    const file = await open(to, 'r+')
    await file.sync()
    await file.close()
    await chmod(to, entry.mode & 0o7777)
    const seconds = Number(BigInt(entry.mtime) / 1000n) / 1e6
    await utimes(to, seconds, seconds)
  }
}

/** Note of earlier deliveries, by deployment. */
export async function readNote(path: string): Promise<Record<string, string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  return JSON.parse(text) as Record<string, string>
}

/** Adds what now lies in the folder by us; `beside`: paths whose file stayed the user's own, and where ours went. */
export async function writeNote(
  path: string,
  former: Readonly<Record<string, string>>,
  placed: Iterable<Delivered>,
  beside: Placed['beside'],
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // Its own: another command may deliver the same to another folder at this moment.
  const temporary = `${path}.${newNonce()}.part`
  try {
    await pipeline(Readable.from(inParts(noted(former, placed, beside))), createWriteStream(temporary))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

type Delivered = Pick<Placement, 'path' | 'entry'>

function* noted(
  former: Readonly<Record<string, string>>,
  placed: Iterable<Delivered>,
  beside: Placed['beside'],
): Generator<readonly [string, string]> {
  const left = new Map(Object.entries(former))
  for (const { path, entry } of placed) {
    if (entry.type === 'folder') continue
    const aside = beside.get(path)
    if (aside && !aside.written) continue
    const at = aside?.path ?? path
    left.delete(at)
    yield [at, identityOf(entry)]
  }
  yield* left
}

const LINES_AT_ONCE = 500

/** JSON, some lines at a time: one text of many files would take more memory than all the rest. */
function* inParts(values: Iterable<readonly [string, string]>): Generator<string> {
  let part = '{'
  let lines = 0
  for (const [name, value] of values) {
    part += `${lines === 0 ? '' : ',\n'}${JSON.stringify(name)}:${JSON.stringify(value)}`
    if (++lines % LINES_AT_ONCE !== 0) continue
    yield part
    part = ''
  }
  yield `${part}}`
}
