/** Folders and names for results: nothing goes through a link, and what is there already stays as it is. */
import type { Stats } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, isGone } from '../../lib/error-code.ts'
import { nativePath } from '../../snapshot/path.ts'

/**
 * The folders that results go to. If a link or a file has the name of such a folder, it stays as it is, and the folder is made beside it
 * with everything that is in it: nothing is ever made or moved through a link, no matter who put it there.
 */
export class ResultFolders {
  readonly #root: string
  /** Folder of the results → where it is. Both are relative to the root. */
  readonly #real = new Map([['', '']])
  /** Those of them that are not under their own name. */
  readonly moved = new Map<string, string>()

  constructor(root: string) {
    this.#root = root
  }

  /** The answer of `real`, if it was given before: without waiting. */
  known(folder: string): string | undefined {
    return this.#real.get(folder)
  }

  /** Where this folder of the results is, relative to the root. Made if necessary. */
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

  /** It exists, or was made now; `false`: something else has the name. */
  async #isFolder(path: string): Promise<boolean> {
    const target = join(this.#root, path)
    const there = await thereAt(target)
    if (there) return there.isDirectory()
    try {
      await mkdir(nativePath(target))
      return true
    } catch (error) {
      // Another command delivers here at the same time.
      if (!hasCode(error, 'EEXIST')) throw error
      return (await thereAt(target))?.isDirectory() ?? false
    }
  }
}

/** Bytes of a file's name, at most. */
const LONGEST_NAME = 255

/** A name beside one that is taken: `<path>~` for 1, `<path>~2` for 2, and so on. A name that would be too long is cut. */
export function nameBeside(path: string, number: number): string {
  const [folder, name] = split(path)
  const end = `~${number === 1 ? '' : number}`
  const chars = Array.from(name)
  while (chars.length > 1 && Buffer.from(nativePath(chars.join(''))).length + end.length > LONGEST_NAME) chars.pop()
  return below(folder, `${chars.join('')}${end}`)
}

export function split(path: string): readonly [folder: string, name: string] {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}

export const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** What is at the path; of a link, the link itself. `undefined`: nothing, also if a folder of the path is a file, or a name of it is too long. */
export async function thereAt(path: string): Promise<Stats | undefined> {
  return lstat(nativePath(path)).catch((error: unknown) => {
    if (isGone(error) || hasCode(error, 'ENAMETOOLONG')) return undefined
    throw error
  })
}
