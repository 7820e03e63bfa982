/**
 * Which of the results an artifact can hold. The program that packs it follows links, and may read whatever this job may: links that lead
 * elsewhere are left out.
 */
import { access, constants, lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../lib/error-code.ts'
import { nameSome } from '../snapshot/path.ts'

export interface Holdable {
  /** Absolute. */
  readonly files: readonly string[]
  /** What is left out, by the reason. */
  readonly rejected: ReadonlyMap<string, readonly string[]>
}

/** Characters that the service refuses, and the backslash, which its archives take for a slash. */
const REFUSED = /[":<>|*?\r\n\\]/

/** `paths`: all results, as they are below the folder now. */
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

/** `undefined`: a folder, which artifacts do not have. Any other text says why it is left out. */
async function kindOf(root: string, path: string): Promise<string | undefined> {
  if (!path.isWellFormed()) return 'a name that is not UTF-8'
  if (REFUSED.test(path)) return 'a name with a character that artifacts cannot have'
  try {
    const whole = join(root, path)
    const there = await lstat(whole)
    if (there.isDirectory()) return undefined
    if (there.isSymbolicLink()) return 'link'
    if (!there.isFile()) return 'no file'
    // The path may lead through a foreign link.
    if ((await realpath(whole)) !== whole) return 'outside the output folder'
    await access(whole, constants.R_OK)
    return 'file'
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'no longer there'
    if (hasCode(error, 'EACCES')) return 'not readable'
    throw error
  }
}

/** One line for each reason. */
export function rejections(title: string, rejected: Holdable['rejected']): string[] {
  return [...rejected].map(([why, paths]) => `artifact "${title}" leaves out ${nameSome(paths)}: ${why}`)
}
