/**
 * Which results an artifact can have. The program that packs it follows links, and may read whatever this job may read, so links that lead to
 * anything but results are left out.
 */
import { access, constants, lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../lib/error-code.ts'
import { nameSome } from '../snapshot/path.ts'

export interface Holdable {
  /** Absolute. */
  readonly files: readonly string[]
  /** Reason → the paths that are left out for it. */
  readonly rejected: ReadonlyMap<string, readonly string[]>
}

/** Characters that the service refuses, and the backslash, which its archives take for a slash. */
const REFUSED = /[":<>|*?\r\n\\]/

/** `paths`: all results, as they are now below the folder. */
export async function holdable(folder: string, paths: readonly string[]): Promise<Holdable> {
  const root = await realpath(folder)
  const files: string[] = []
  const links: string[] = []
  const delivered = new Set<string>()
  const rejected = new Map<string, string[]>()
  const leave = (why: string, path: string): void => {
    const others = rejected.get(why)
    if (others) others.push(path)
    else rejected.set(why, [path])
  }
  for (const path of paths) {
    const kind = await kindOf(root, path)
    if (kind === 'link') links.push(path)
    else if (kind === 'file') {
      files.push(join(folder, path))
      delivered.add(join(root, path))
    } else if (kind !== undefined) leave(kind, path)
  }
  for (const path of links) {
    const target = await realpath(join(root, path)).catch(() => undefined)
    if (target !== undefined && delivered.has(target)) files.push(join(folder, path))
    else leave(target === undefined ? 'a broken link' : 'a link to something that is not a file of the artifact', path)
  }
  return { files, rejected }
}

/** `file`, `link`, or why it is left out. `undefined`: a folder; artifacts have none. */
async function kindOf(root: string, path: string): Promise<string | undefined> {
  if (!path.isWellFormed()) return 'a name that is not UTF-8'
  if (REFUSED.test(path)) return 'a name with a character that artifacts cannot have'
  try {
    const whole = join(root, path)
    const there = await lstat(whole)
    if (there.isDirectory()) return undefined
    if (there.isSymbolicLink()) return 'link'
    if (!there.isFile()) return 'not a regular file'
    // A folder of its path may be a link that was there before.
    if ((await realpath(whole)) !== whole) return 'outside the output folder'
    await access(whole, constants.R_OK)
    return 'file'
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'no longer there'
    if (hasCode(error, 'EACCES')) return 'not readable'
    throw error
  }
}

/** What to say about results that are left out: a line for each reason. */
export function rejections(title: string, rejected: Holdable['rejected']): string[] {
  return [...rejected].map(([why, paths]) => `artifact "${title}" leaves out ${nameSome(paths)}: ${why}`)
}
