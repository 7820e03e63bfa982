/** Finds what has changed in a tree since the last look, and reads it: scan, read what is not known, scan again. */
import { realpathSync } from 'node:fs'
import type { Packer } from '../format/pack.ts'
import { makeRoomAfter } from '../memory.ts'
import { align, parentPath, relativeLink } from '../path.ts'
import { Turns } from '../turns.ts'
import type { Freeze, SaveParams, SaverOptions } from '../types.ts'
import { compareScans, isSettled, sameStat } from './compare-scans.ts'
import { copyAside, removeCopies } from './copy-aside.ts'
import { beside } from './disk.ts'
import { mappedFiles } from './mapped.ts'
import { type Draft, isStill, readFile, readLink, readSmall, type Trouble, takeBytes, type Wanted } from './reader.ts'
import { FILE, FOLDER, releaseStats, type Scan, scanTree } from './scan.ts'
import { newTree, type Tree } from './tree.ts'

/** How often changed files are read before the script is held. */
const ROUNDS = 3
/** Milliseconds for which the script may be held. */
const STANDSTILL = 2000
/** Milliseconds, of these, for making the copies. The rest is for removing them if they are too slow: the script may need their space. */
const COPYING = 1500

export interface Look {
  readonly tree: Tree
  /** Paths that kept changing; empty when the look was quiet. */
  readonly unquiet: readonly string[]
  readonly unreadable: readonly string[]
}

/** The saver's options that a look needs. */
export type LookOptions = Pick<SaverOptions, 'folder' | 'select' | 'paths' | 'overlay' | 'portable' | 'guarded'>

export class ChangedFiles {
  readonly #options: LookOptions
  readonly #params: SaveParams
  readonly #packer: Packer
  /** Files that are read from a copy, not from the folder: the copy's place by path. */
  #copies: ReadonlyMap<string, string> = new Map()
  /** Paths that changed between the scan and their last reading. */
  #torn = new Set<string>()
  /** Paths that the last round could not read. */
  #unreadable = new Set<string>()
  /** Paths that may change without a trace in their stat data (`mappedFiles`). */
  #mapped: ReadonlySet<string> = new Set()
  /** The real path of the folder, once it is needed. */
  #real: string | undefined
  /** Files that were read, in all rounds, and their bytes; `#total` includes those that are yet to be read. */
  #read = 0
  #bytes = 0
  #total = 0
  readonly #tell: (bytes: number, total: number) => void

  /** `tell` hears how many bytes were read so far, of how many. */
  constructor(options: LookOptions, params: SaveParams, packer: Packer, tell: (bytes: number, total: number) => void) {
    this.#options = options
    this.#params = params
    this.#packer = packer
    this.#tell = tell
  }

  /** `known`: what the last look left. */
  async look(known: Tree | undefined): Promise<Look> {
    const scan = await this.#scan(known?.scan.paths ?? this.#options.paths)
    // The first look reads everything.
    if (known === undefined) makeRoomAfter(scan.paths.length)
    this.#packer.expect(scan.paths.length)
    const mapped = await mappedFiles(this.#options.folder, scan, this.#params.signal)
    this.#mapped = new Set([...mapped].map((number) => scan.paths[number] ?? ''))
    let tree = await this.#fill(scan, known, false)
    let unquiet: readonly string[] = []
    for (let round = 1; this.#read > 0; round++) {
      const next = await this.#scan(scan.paths)
      unquiet = await this.#differences(tree, next)
      if (unquiet.length === 0 || round === ROUNDS) {
        releaseStats(next)
        break
      }
      const { scan: former } = tree
      tree = await this.#fill(next, tree, true)
      releaseStats(former)
    }
    if (unquiet.length > 0 && this.#params.freeze !== undefined) {
      const frozen = await this.#standstill(tree, this.#params.freeze)
      if (frozen !== undefined) {
        releaseStats(tree.scan)
        tree = frozen
        unquiet = []
      }
    }
    return { tree, unquiet: this.#params.final === true ? [] : unquiet, unreadable: [...this.#unreadable, ...tree.scan.unreadable] }
  }

  /** `former`: the paths of another scan. */
  #scan(former: readonly string[] = []): Promise<Scan> {
    const { select, folder } = this.#options
    return scanTree(folder, select, this.#params.signal, former)
  }

  /**
   * Entries for all of `scan`: taken from `known` where the stat data is the same, else read. `sameLook`: `known` is of this look, so its files
   * count as unchanged even if their time stamps are young.
   */
  async #fill(scan: Scan, known: Tree | undefined, sameLook: boolean): Promise<Tree> {
    const tree = newTree(scan, this.#packer.pieces)
    const unread = this.#unread(tree, known, (path, number) => {
      if (this.#torn.has(path) || this.#copies.has(path)) return false
      return sameLook || (known?.trusted[number] === 1 && !this.#mapped.has(path))
    })
    this.#torn = new Set()
    this.#unreadable = new Set()
    for (const number of unread) if (scan.kind[number] === FILE) this.#total += scan.size[number] ?? 0
    const drafts: { number: number; draft: Draft }[] = []
    const turns = new Turns(this.#params.signal)
    for (const number of unread) {
      if (turns.isDue) {
        this.#tell(this.#bytes, this.#total)
        await turns.next()
      }
      const wanted = this.#wanted(scan, number)
      if (scan.kind[number] === FILE) {
        const found = this.#readNow(wanted) ?? (await this.#readLater(wanted))
        if (typeof found === 'string') this.#trouble(found, wanted.path)
        else if ('wanted' in found) drafts.push({ number, draft: found })
        else tree.entries.set(number, found)
        this.#read += 1
        this.#bytes += wanted.size
      } else if (scan.kind[number] === FOLDER) tree.entries.set(number, [])
      else {
        const link = readLink(wanted)
        if ('target' in link) tree.entries.set(number, this.#target(wanted.path, link.target))
        else this.#trouble(link.trouble, wanted.path)
      }
      tree.trusted[number] = isSettled(scan, number) && !this.#mapped.has(wanted.path) ? 1 : 0
    }
    await this.#packer.flush()
    this.#tell(this.#bytes, this.#total)
    for (const { number, draft } of drafts) {
      tree.entries.set(number, draft.pieces)
      if (draft.size !== draft.wanted.size && !this.#options.overlay?.has(draft.wanted.path)) this.#torn.add(draft.wanted.path)
    }
    return tree
  }

  /** Takes over from `known` what `may` allows; returns the numbers of the other entries, of those that `only` asks for. */
  #unread(tree: Tree, known: Tree | undefined, may: (path: string, number: number) => boolean): readonly number[] {
    const unread = adopt(tree, known, may)
    const { only } = this.#params
    if (!only) return unread
    const chosen = withParents(tree.scan, only)
    return unread.filter((number) => chosen[number] === 1)
  }

  #target(path: string, target: string): string {
    const { folder, portable } = this.#options
    if (!portable || !target.startsWith('/')) return target
    return relativeLink(folder, path, target) ?? relativeLink(this.#realFolder, path, target) ?? target
  }

  get #realFolder(): string {
    this.#real ??= realpathSync(this.#options.folder)
    return this.#real
  }

  #wanted(scan: Scan, number: number): Wanted {
    const path = scan.paths[number] ?? ''
    const { folder, guarded } = this.#options
    const copy = this.#copies.get(path)
    return {
      path,
      source: copy ?? `${folder}/${path}`,
      size: scan.size[number] ?? 0,
      ...(guarded && copy === undefined && { real: `${this.#realFolder}/${path}` }),
    }
  }

  #readNow(wanted: Wanted): readonly number[] | Trouble | undefined {
    return this.#options.overlay?.has(wanted.path) ? undefined : readSmall(wanted, this.#packer)
  }

  #readLater(wanted: Wanted): Promise<Draft | readonly number[] | Trouble> {
    const bytes = this.#options.overlay?.get(wanted.path)
    return bytes === undefined
      ? readFile(wanted, this.#packer, (read) => this.#tell(this.#bytes + read, this.#total))
      : takeBytes(wanted, bytes, this.#packer)
  }

  #trouble(trouble: Trouble, path: string): void {
    if (trouble === 'unreadable') this.#unreadable.add(path)
    else this.#torn.add(path)
  }

  /** Paths whose content in `tree` is not that of the moment of its scan, as far as `next`, a later scan, can tell. */
  async #differences(tree: Tree, next: Scan): Promise<readonly string[]> {
    const { changed, grown } = compareScans(tree.scan, next)
    const { only = () => true } = this.#params
    const paths = new Set([...changed.filter(only), ...this.#torn])
    const doubtful = this.#mapped.size === 0 ? grown : [...grown, ...numbersOf(tree.scan, this.#mapped)]
    for (const number of doubtful) {
      const entry = tree.entries.at(number)
      const path = tree.scan.paths[number] ?? ''
      if (entry?.type !== 'file' || paths.has(path) || !only(path)) continue
      if (await isStill(entry, `${this.#options.folder}/${path}`)) continue
      paths.add(path)
      this.#torn.add(path)
    }
    return [...paths]
  }

  /**
   * Holds the script while files that still differ are copied to a place beside the folder, then reads the copies. `undefined`: they could not
   * be made in time.
   */
  async #standstill(tree: Tree, freeze: Freeze): Promise<Tree | undefined> {
    const { copies: place } = beside(this.#options.folder)
    // An earlier saver may have been killed before it removed its own.
    await removeCopies(place)
    let held = true
    const begun = performance.now()
    // Lets the script go on even if the disk does not answer any more.
    const timer = setTimeout(() => {
      held = false
      void freeze.resume()
    }, STANDSTILL)
    let scan: Scan | undefined
    let copies: ReadonlyMap<string, string> | undefined
    try {
      await freeze.stop()
      scan = await this.#scan()
      copies = await copyAside(this.#changing(scan, tree), place, begun + COPYING, this.#params.signal)
    } finally {
      clearTimeout(timer)
      if (held) await freeze.resume()
    }
    try {
      if (copies === undefined || !held) return undefined
      this.#copies = copies
      return await this.#fill(scan, tree, true)
    } finally {
      this.#copies = new Map()
      await removeCopies(place)
    }
  }

  /** Files of `scan` whose content is not yet in `known`. */
  #changing(scan: Scan, known: Tree): readonly Wanted[] {
    const unread = this.#unread(newTree(scan, this.#packer.pieces), known, (path) => !this.#torn.has(path) && !this.#mapped.has(path))
    return unread.filter((number) => scan.kind[number] === FILE).map((number) => this.#wanted(scan, number))
  }
}

/** 1 for each entry that `only` names, and for the folders that such an entry is in. */
function withParents(scan: Scan, only: (path: string) => boolean): Uint8Array {
  const chosen = new Uint8Array(scan.paths.length)
  const folders = new Set<string>()
  // Backwards: the content of a folder follows it.
  for (let number = scan.paths.length - 1; number >= 0; number--) {
    const path = scan.paths[number] ?? ''
    if (!only(path) && !folders.has(path)) continue
    chosen[number] = 1
    folders.add(parentPath(path))
  }
  return chosen
}

function numbersOf(scan: Scan, paths: ReadonlySet<string>): readonly number[] {
  return [...scan.paths.keys()].filter((number) => paths.has(scan.paths[number] ?? ''))
}

/** Takes over entries of `known` whose stat data is the same and for which `may` says so; returns the numbers of all others. */
function adopt(tree: Tree, known: Tree | undefined, may: (path: string, number: number) => boolean): readonly number[] {
  const { scan } = tree
  const numbers = known === undefined ? undefined : align(scan.paths, known.scan.paths)
  const unread: number[] = []
  for (const [number, path] of scan.paths.entries()) {
    const old = numbers?.[number] ?? -1
    if (known?.entries.isRead(old) && sameStat(scan, number, known.scan, old) && may(path, old)) {
      tree.entries.take(number, known.entries, old)
      tree.trusted[number] = known.trusted[old] ?? 0
    } else unread.push(number)
  }
  return unread
}
