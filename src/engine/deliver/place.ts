/** Putting downloaded files where the user wants them, never over a file that was changed there since the upload. */
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
  /** The entry that was uploaded from this path, if the folder is the work directory that was uploaded. */
  readonly before: (path: string) => Entry | undefined
  /** What an earlier delivery of this deployment, or of one with the same name, left here: path → identity of the content. */
  readonly delivered: Readonly<Record<string, string>>
  /** What the machines had there at the end, results or not: a link to a file that they had anyway reveals nothing. */
  readonly had?: (path: string) => readonly Entry[]
  /** Ends it with its reason, but only as long as nothing was put in its place: comparing with what is there may take long. */
  readonly signal?: AbortSignal | undefined
}

/** What became of each result, by its path in the results. */
export interface Installed {
  /** Put in their places. */
  readonly written: readonly string[]
  /** Already there with the same content. */
  readonly same: readonly string[]
  /** Something else has the place: where the result is instead. */
  readonly beside: ReadonlyMap<string, ConflictCopy>
  /** Folders whose name is taken by something else, and where their content is instead. */
  readonly folders: ReadonlyMap<string, string>
  /**
   * Links that were not made: they would lead out of the folder, into a repository's own folder, or to files of the user that were never on a
   * machine.
   */
  readonly refused: ReadonlySet<string>
  /** The last of these: who reads the results would read such a file through the link. */
  readonly yours: ReadonlySet<string>
  /** Links that lead to what does not exist. */
  readonly dangling: readonly PlacedFile[]
}

export const NOTHING: Installed = {
  written: [],
  same: [],
  beside: new Map(),
  folders: new Map(),
  refused: new Set(),
  yours: new Set(),
  dangling: [],
}

export interface ConflictCopy {
  /** `<file>~`, or `<file>~2` and so on if that is taken too. */
  readonly path: string
  /** `false`: the same was there before. */
  readonly written: boolean
  /** It is elsewhere only because a folder above it is; its own name is not taken. */
  readonly along: boolean
}

/** Links come after all files: whether a link is allowed depends on where it leads once everything else is there. */
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
  /** Where results lie, relative to the folder. */
  readonly #here = new Set<string>()
  /** The answers of `#isKnown`: many links may lead into one large folder. */
  readonly #judged = new Map<string, boolean>()
  readonly #replaced = new Replaced()
  readonly dangling: PlacedFile[] = []
  /**
   * Where results lie with a name as `nameBeside` makes them. A result may have such a name of its own, and must not replace one that was put beside
   * something else, or the other way round.
   */
  readonly #taken = new Set<string>()

  constructor(options: PlaceOptions) {
    this.#options = options
    this.folders = new ResultFolders(options.folder)
  }

  /** Puts it in its place, or beside that; resolves to where it is. `undefined`: nowhere, because `allowed` refuses the place. */
  async add(item: PlacedFile, allowed?: (path: string) => Promise<boolean>): Promise<string | undefined> {
    const { folder: root } = this.#options
    const [folder, name] = split(item.path)
    const real = this.folders.known(folder) ?? (await this.folders.real(folder))
    // Usually none of a hundred thousand files needs a second path.
    const path = real === folder ? item.path : below(real, name)
    if (allowed && !(await allowed(path))) return undefined
    const along = path !== item.path
    // A file that is not under its own name was not uploaded from there.
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
      // A file that was restored may be on the path of another link, so all are judged again.
      while (await this.#judge(root, laid));
    } catch (error) {
      await this.#replaced.restoreAll()
      throw error
    }
    await this.#replaced.forget()
  }

  /**
   * Takes back links that lead where they must not, now that all are there: a later one may have changed where an earlier one leads. `true`:
   * something that was there before was restored.
   */
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

  /** `true`: what was there before was restored. */
  async #takeBack(root: string, path: string, lies: string): Promise<boolean> {
    this.refused.add(path)
    this.#here.delete(lies)
    // A link that was there already is the user's own: it stays.
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

/** A name as `nameBeside` makes them, anywhere in a path. */
const LIKE_BESIDE = /~\d*(\/|$)/

/** For a path to which nothing was uploaded: what is there, and was not delivered, belongs to the user or to another run. */
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

/** `write`: nothing is there, or only what may be replaced · `same`: the same is there · `beside`: something else has the place */
type Fate = 'write' | 'same' | 'beside'

/** What becomes of the item at `path`, whose folder exists. */
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

/** Whether exactly this entry's content is there. */
async function holds(path: string, entry: Entry, signal: AbortSignal | undefined): Promise<boolean> {
  return (await identityAt(path, signal)) === entryIdentity(entry)
}

/** A text that is the same for entries of the same content: the bytes of a file, or the target of a link. */
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
