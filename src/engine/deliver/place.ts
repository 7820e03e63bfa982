/** Putting downloaded files where the user wants them, without ever writing over a file that changed since the upload. */
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fileHash, linkTarget } from '../../snapshot/folder/reader.ts'
import { decodeName, nativePath } from '../../snapshot/path.ts'
import type { Entry, LinkEntry } from '../../snapshot/types.ts'
import { below, nameBeside, ResultFolders, split, thereAt } from './folders.ts'
import { leadsTo, staysBelow } from './links.ts'
import { put } from './put.ts'
import { Replaced } from './replaced.ts'

export interface PlacedFile {
  /** Downloaded and verified, absolute. */
  readonly from: string
  /** Relative to the output folder. */
  readonly path: string
  readonly entry: Entry
}

export interface PlaceOptions {
  readonly folder: string
  /** The file as it was when the deployment was made, if it was uploaded from this folder. */
  readonly before: (path: string) => Entry | undefined
  /** What an earlier delivery of this deployment, or of one with the same name, left here: path → identity of the content. */
  readonly delivered: Readonly<Record<string, string>>
  /** What the machines had there at the end, results or not: a link to a file that they had anyway reveals nothing. */
  readonly had?: (path: string) => readonly Entry[]
  /** Ends it while nothing has been put in its place, which may take long where much is there already: then all of it comes, or none. */
  readonly signal?: AbortSignal | undefined
}

export interface Installed {
  readonly written: readonly string[]
  /** Already there with the same content. */
  readonly same: readonly string[]
  /** Something else has the place: the result is put beside it. */
  readonly beside: ReadonlyMap<string, ConflictCopy>
  /** Folders whose name is taken by something else, and where their content is instead. */
  readonly folders: ReadonlyMap<string, string>
  /** Links that would lead out of the folder, or into a repository's own: they were not made. */
  readonly refused: ReadonlySet<string>
  /** Those of them that lead to files of the user that were never on a machine: a reader of the results would read such a file through the link. */
  readonly yours: ReadonlySet<string>
  /** Links that lead to what does not exist. */
  readonly dangling: readonly PlacedFile[]
}

export interface ConflictCopy {
  /** `<file>~`, or `<file>~2` and so on if that is taken too. */
  readonly path: string
  /** Put there now; otherwise the same was there before. */
  readonly written: boolean
  /** Its own name is free: it is elsewhere because a folder above it is. */
  readonly along: boolean
}

/** Files first: whether a link is allowed depends on where it leads once everything else is there. */
export async function place(items: Iterable<PlacedFile>, options: PlaceOptions): Promise<Installed> {
  const placer = new Placer(options)
  const links: (PlacedFile & { readonly entry: LinkEntry })[] = []
  for (const item of items) {
    const { entry } = item
    // Folders are made, but do not count as results.
    if (entry.type === 'folder') await placer.folders.real(item.path)
    else if (entry.type === 'link') links.push({ ...item, entry })
    else await placer.add(item)
  }
  if (links.length > 0) await placer.link(links, await realpath(options.folder))
  const { lists, beside, folders, refused, yours, dangling } = placer
  return { written: lists.write, same: lists.same, beside, folders: folders.moved, refused, yours, dangling }
}

class Placer {
  #options: PlaceOptions
  readonly folders: ResultFolders
  lists: Record<Exclude<Fate, 'beside'>, string[]> = { write: [], same: [] }
  readonly beside = new Map<string, ConflictCopy>()
  readonly refused = new Set<string>()
  readonly yours = new Set<string>()
  /** Where results lie. */
  readonly #here = new Set<string>()
  readonly #judged = new Map<string, boolean>()
  readonly #replaced = new Replaced()
  readonly dangling: PlacedFile[] = []
  /** Names that end in `~` like those of results put beside others: a result may have such a name itself, and neither may replace the other. */
  readonly #taken = new Set<string>()

  constructor(options: PlaceOptions) {
    this.#options = options
    this.folders = new ResultFolders(options.folder)
  }

  /** Where it is now. `undefined`: `allowed` says that it may not be there. */
  async add(item: PlacedFile, allowed?: (path: string) => Promise<boolean>): Promise<string | undefined> {
    const { folder: root } = this.#options
    const [folder, name] = split(item.path)
    const real = this.folders.known(folder) ?? (await this.folders.real(folder))
    // Usually none of a hundred thousand files needs a second path.
    const path = real === folder ? item.path : below(real, name)
    if (allowed && !(await allowed(path))) return undefined
    const along = path !== item.path
    // Only a file under its own name can be the one that was uploaded.
    const judged = along ? withoutUpload(this.#options) : this.#options
    const fate = this.#taken.has(path) ? 'beside' : await fateOf(item, path, judged)
    const beside = fate === 'beside' ? await besides(item, path, this.#taken, this.#options) : undefined
    const lies = beside?.path ?? path
    const written = beside?.written ?? fate === 'write'
    if (written) this.#options = { ...this.#options, signal: undefined }
    if (written && item.entry.type === 'link') await this.#replaced.keep(join(root, lies))
    if (written && item.entry.type !== 'folder') await put(item.from, item.entry, join(root, lies))
    if (LIKE_BESIDE.test(lies)) this.#taken.add(lies)
    this.#here.add(lies)
    if (beside) this.beside.set(item.path, { ...beside, along: false })
    else if (along) this.beside.set(item.path, { path, written, along })
    else if (fate !== 'beside') this.lists[fate].push(item.path)
    return lies
  }

  /** `root`: the folder's real path. */
  async link(links: readonly (PlacedFile & { readonly entry: LinkEntry })[], root: string): Promise<void> {
    const laid = new Set<Laid>()
    try {
      for (const item of links) {
        const { path, target } = item.entry
        const allowed = async (at: string): Promise<boolean> => (await leadsTo(root, at, target)) !== undefined
        const lies = staysBelow(path, target) ? await this.add(item, allowed) : undefined
        if (lies === undefined) this.refused.add(item.path)
        else laid.add({ item, target, lies })
      }
      // What was restored may be on the path of another link.
      while (await this.#judge(root, laid));
    } catch (error) {
      await this.#replaced.restoreAll()
      throw error
    }
    await this.#replaced.forget()
  }

  /** A later link may have changed where an earlier one leads. True: something that was there before was restored. */
  async #judge(root: string, laid: Set<Laid>): Promise<boolean> {
    let restored = false
    this.dangling.length = 0
    this.#judged.clear()
    for (const one of laid) {
      const { item, target, lies } = one
      const end = await leadsTo(root, lies, target)
      const there = end === undefined ? undefined : await thereAt(join(root, end))
      if (end !== undefined && !there) this.dangling.push(item)
      else if (end === undefined || !(await this.#isKnown(root, end))) {
        if (end !== undefined) this.yours.add(item.path)
        laid.delete(one)
        restored = (await this.#takeBack(root, item.path, lies)) || restored
      }
    }
    return restored
  }

  /** Whether it is a result, or a file that a machine had as it is here; for a folder, everything in it. */
  async #isKnown(root: string, path: string): Promise<boolean> {
    const known = this.#here.has(path) || (this.#judged.get(path) ?? (await this.#wasThere(root, path)))
    // Many links may lead to one large folder.
    this.#judged.set(path, known)
    return known
  }

  async #wasThere(root: string, path: string): Promise<boolean> {
    const at = join(root, path)
    if ((await lstat(nativePath(at))).isDirectory()) {
      for (const name of await readdir(nativePath(at), { encoding: 'buffer' }))
        if (!(await this.#isKnown(root, below(path, decodeName(name))))) return false
      return true
    }
    const had = this.#options.had?.(path) ?? []
    if (had.length === 0) return false
    const identity = await identityAt(at)
    return had.some((entry) => entryIdentity(entry) === identity)
  }

  /** True: what was there before was restored. */
  async #takeBack(root: string, path: string, lies: string): Promise<boolean> {
    this.refused.add(path)
    this.#here.delete(lies)
    // What was there before is the user's own.
    const ours = this.lists.write.includes(path) || this.beside.get(path)?.written === true
    const restored = ours && (await this.#replaced.restore(join(root, lies)))
    this.beside.delete(path)
    this.lists = { write: without(this.lists.write, path), same: without(this.lists.same, path) }
    return restored
  }
}

/** A link that was made, and where it is. */
interface Laid {
  readonly item: PlacedFile
  readonly target: string
  readonly lies: string
}

const without = (paths: readonly string[], path: string): string[] => paths.filter((other) => other !== path)

const LIKE_BESIDE = /~\d*(\/|$)/

/** Whatever else is there belongs to somebody: the user, or another run. */
const withoutUpload = ({ folder, delivered, signal }: PlaceOptions): PlaceOptions => ({
  folder,
  delivered,
  signal,
  before: () => undefined,
})

/** The first of `<path>~`, `<path>~2`, … that is free, holds the same already, or was left by this deployment and is untouched. */
async function besides(
  item: PlacedFile,
  own: string,
  taken: ReadonlySet<string>,
  options: PlaceOptions,
): Promise<Pick<ConflictCopy, 'path' | 'written'>> {
  for (let number = 1; ; number++) {
    const path = nameBeside(own, number)
    if (taken.has(path)) continue
    const fate = await fateOf(item, path, withoutUpload(options))
    if (fate !== 'beside') return { path, written: fate === 'write' }
  }
}

type Fate = 'write' | 'same' | 'beside'

/** The result for the item, if it is put at `path`, whose folder exists. */
async function fateOf(item: PlacedFile, path: string, options: PlaceOptions): Promise<Fate> {
  const { folder, delivered, signal } = options
  const target = join(folder, path)
  signal?.throwIfAborted()
  const there = await thereAt(target)
  if (!there) return 'write'
  if (there.isDirectory()) return 'beside'
  if (await holds(target, item.entry, signal)) return 'same'
  const before = options.before(path)
  if (before && (await holds(target, before, signal))) return 'write'
  const ours = delivered[path]
  if (ours !== undefined && (await identityAt(target, signal)) === ours) return 'write'
  return 'beside'
}

/** Does the path hold exactly this entry's content? */
async function holds(path: string, entry: Entry, signal: AbortSignal | undefined): Promise<boolean> {
  return (await identityAt(path, signal)) === entryIdentity(entry)
}

/** What counts as content: bytes, or where a link points. */
export function entryIdentity(entry: Entry): string {
  if (entry.type === 'link') return `link ${entry.target}`
  return entry.type === 'folder' ? 'folder' : `file ${entry.hash}`
}

async function identityAt(path: string, signal?: AbortSignal): Promise<string> {
  const there = await lstat(nativePath(path))
  if (there.isSymbolicLink()) return `link ${linkTarget(path)}`
  if (there.isDirectory()) return 'folder'
  return there.isFile() ? `file ${await fileHash(path, signal)}` : 'special'
}
