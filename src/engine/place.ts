/** Putting downloaded files where the user wants them, without ever writing over a file that changed since the upload. */
import type { Stats } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, open, rename, rm, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { newNonce } from '../core/identity.ts'
import { hasCode } from '../lib/files.ts'
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
  /** Something else has the place: ours lies beside it. */
  readonly beside: ReadonlyMap<string, Beside>
  /** Folders whose name something else has, and where all that is in them lies. */
  readonly folders: ReadonlyMap<string, string>
}

export interface Beside {
  /** `<file>~`, or `<file>~2` and so on where that is taken too. */
  readonly path: string
  /** Put there now; else somebody had put the same there before. */
  readonly written: boolean
  /** Its own name is free: it lies elsewhere because a folder above it does. */
  readonly along: boolean
}

export async function place(items: Iterable<Placement>, options: PlaceOptions): Promise<Placed> {
  const lists: Record<Exclude<Fate, 'beside'>, string[]> = { write: [], same: [] }
  const aside = new Map<string, Beside>()
  const folders = new Folders(options.folder)
  // Names that end as ours beside others do: a result may have such a name itself, and neither may take the other's place.
  const taken = new Set<string>()
  for (const item of items) {
    // Folders are made, but nobody counts them among results.
    if (item.entry.type === 'folder') {
      await folders.real(item.path)
      continue
    }
    const [folder, name] = split(item.path)
    const real = folders.known(folder) ?? (await folders.real(folder))
    // Of a hundred thousand files none needs a second path.
    const path = real === folder ? item.path : below(real, name)
    const along = path !== item.path
    // Only what lies at its own place can be what was uploaded.
    const judged = along ? withoutUpload(options) : options
    const fate = taken.has(path) ? 'beside' : await fateOf(item, path, judged)
    const beside = fate === 'beside' ? await besides(item, path, taken, options) : undefined
    const lies = beside?.path ?? path
    const written = beside?.written ?? fate === 'write'
    if (written) await put(item, item.entry, join(options.folder, lies))
    if (LIKE_BESIDE.test(lies)) taken.add(lies)
    if (beside) aside.set(item.path, { ...beside, along: false })
    else if (along) aside.set(item.path, { path, written, along })
    else if (fate !== 'beside') lists[fate].push(item.path)
  }
  return { written: lists.write, same: lists.same, beside: aside, folders: folders.moved }
}

const LIKE_BESIDE = /~\d*(\/|$)/

/** `<path>~`, `<path>~2`, … */
const nameBeside = (path: string, number: number): string => `${path}~${number === 1 ? '' : number}`

/** Whatever else lies there is somebody's: the user's own, or the result of another run. */
const withoutUpload = ({ folder, delivered }: PlaceOptions): PlaceOptions => ({ folder, delivered, before: () => undefined })

function split(path: string): readonly [folder: string, name: string] {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}

const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/**
 * The folders that results go to. A link or a file that has the name of one stays what it is, and the folder goes beside it with all that
 * is in it: nothing is ever made or moved through a link, whoever put it there.
 */
class Folders {
  readonly #root: string
  readonly #real = new Map([['', '']])
  readonly moved = new Map<string, string>()

  constructor(root: string) {
    this.#root = root
  }

  /** Without waiting, where it was asked for before. */
  known(folder: string): string | undefined {
    return this.#real.get(folder)
  }

  /** Where such a folder of the results is, relative to the root; made, if need be. */
  async real(folder: string): Promise<string> {
    const known = this.known(folder)
    if (known !== undefined) return known
    const [parent, name] = split(folder)
    const own = below(await this.real(parent), name)
    let path = own
    for (let number = 1; !(await this.#isFolder(path)); number++) path = nameBeside(own, number)
    if (path !== own) this.moved.set(folder, path)
    this.#real.set(folder, path)
    return path
  }

  /** There, or made now; `false`: something else has the name. */
  async #isFolder(path: string): Promise<boolean> {
    const target = join(this.#root, path)
    const there = await thereAt(target)
    if (!there) await mkdir(nativePath(target))
    return there?.isDirectory() ?? true
  }
}

/** What has the name, not what a link of that name points to. */
async function thereAt(path: string): Promise<Stats | undefined> {
  return lstat(nativePath(path)).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
}

/** The first of `<path>~`, `<path>~2`, … that is free, holds the same already, or was left by this deployment and is untouched. */
async function besides(
  item: Placement,
  own: string,
  taken: ReadonlySet<string>,
  options: PlaceOptions,
): Promise<Pick<Beside, 'path' | 'written'>> {
  for (let number = 1; ; number++) {
    const path = nameBeside(own, number)
    if (taken.has(path)) continue
    const fate = await fateOf(item, path, withoutUpload(options))
    if (fate !== 'beside') return { path, written: fate === 'write' }
  }
}

type Fate = 'write' | 'same' | 'beside'

/** Of the item, if it went to `path`, whose folder is there. */
async function fateOf(item: Placement, path: string, options: PlaceOptions): Promise<Fate> {
  const target = join(options.folder, path)
  const there = await thereAt(target)
  if (!there) return 'write'
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

async function put(item: Placement, entry: Exclude<Entry, { type: 'folder' }>, target: string): Promise<void> {
  const temporary = nativePath(`${target}.${newNonce()}.part`)
  try {
    if (entry.type === 'link') await symlink(nativePath(entry.target), temporary)
    else await moveOrCopy(nativePath(item.from), temporary, entry)
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
