/** Spares the first save after a restore from reading everything again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { FILE, type Scan, scanTree } from './scan.ts'
import { align, newTree, sameTime, type Tree } from './tree.ts'
import type { Entry, Manifest, SaverOptions } from './types.ts'

/** Milliseconds: longer than a tick of any file system clock we know. */
const TICK = 50

/**
 * The tree as the restore left it, in which nobody has written since. Every time stamp of a later write then differs from the restored one,
 * which must itself be old, and its ctime lies in a later tick.
 */
export async function seedTree(options: SaverOptions, manifest: Manifest): Promise<Tree> {
  await sleep(TICK)
  const paths = manifest.entries.map((entry) => entry.path)
  const scan = await scanTree(options.folder, options.select, undefined, paths)
  const tree = newTree(scan)
  const numbers = align(scan.paths, paths)
  for (const [number, other] of numbers.entries()) {
    const entry = manifest.entries[other]
    if (entry === undefined || !isAsRestored(entry, scan, number)) continue
    tree.entries[number] = entry
    tree.trusted[number] = 1
  }
  return tree
}

function isAsRestored(entry: Entry, scan: Scan, number: number): boolean {
  const mtime = scan.mtime[number] ?? 0n
  if (entry.type !== 'file' || scan.kind[number] !== FILE) return false
  if (scan.size[number] !== entry.size || scan.mode[number] !== entry.mode) return false
  return sameTime(entry.mtime, String(mtime)) && mtime < scan.startedAt - 2_000_000_000n
}
