/** What has changed in a tree since the last look, and its bytes: scan, read what is unknown, scan again. */
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

/** Looks at changed files this often before it asks for a standstill. */
const ROUNDS = 3
/** Milliseconds that the script may be held. */
const STANDSTILL = 2000
/** The copies must be there after so many of them: if not, they are removed before the script goes on, because it may need their space. */
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
  /** Where to read a path instead of in the folder. */
  #copies: ReadonlyMap<string, string> = new Map()
  /** Paths whose last reading differed from the scan. */
  #torn = new Set<string>()
  #unreadable = new Set<string>()
  #mapped: ReadonlySet<string> = new Set()
  /** Of the folder, once it is needed. */
  #real: string | undefined
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
    const mapped = await mappedFiles(this.#options.folder, scan)
    this.#mapped = new Set([...mapped].map((number) => scan.paths[number] ?? ''))
    let tree = await this.#fill(scan, known, false)
    let unquiet: readonly string[] = []
    for (let round = 1; this.#read > 0; round++) {
      const next = await this.#scan(scan.paths)
      unquiet = await this.#differences(tree, next)
      const done = unquiet.length === 0 || round === ROUNDS
      const old = done ? next : tree.scan
      if (!done) tree = await this.#fill(next, tree, true)
      releaseStats(old)
      if (done) break
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

  /** Entries for all of `scan`: known ones where the stat data says so, the others read. `sameLook`: young time stamps do not matter. */
  async #fill(scan: Scan, known: Tree | undefined, sameLook: boolean): Promise<Tree> {
    const tree = newTree(scan, this.#packer.pieces)
    const unread = this.#unread(tree, known, (path, number) => {
      if (this.#torn.has(path)) return false
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

  /** Numbers of all entries to look at that `adopt` does not take over. */
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

  /** Paths of `tree` that do not belong to the moment of its scan. */
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

  /** Holds the script, copies what still differs beside the folder, lets it go on, and reads the copies. `undefined`: it took too long. */
  async #standstill(tree: Tree, freeze: Freeze): Promise<Tree | undefined> {
    const { copies: place } = beside(this.#options.folder)
    // What an earlier saver may have left there.
    await removeCopies(place)
    let held = true
    const begun = performance.now()
    // Even if a disk answers nothing any more.
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
      // Without all copies, the snapshot is published as unquiet instead.
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

/** For each number 1 if `only` names it, or something inside it. */
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
