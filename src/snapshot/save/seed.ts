/** Spares the first save after a restore from reading everything again. */
import { pause } from '../../lib/clock.ts'
import { isSettledTime } from '../folder/compare-scans.ts'
import { FILE, type Scan, scanTree } from '../folder/scan.ts'
import { isSameTime, newTree, type Tree } from '../folder/tree.ts'
import type { HeldEntries } from '../format/entries.ts'
import { align } from '../path.ts'
import type { SaverOptions } from '../types.ts'

/** Milliseconds: longer than a tick of any file system clock we know. */
const TICK = 50

/**
 * The tree as the restore has left it; nothing may have run in it since. Files that look as they were restored count as read, if every later write
 * will show in their time stamps: the restored time must be far from now. Waits for a tick, so that the ctime changes, too.
 */
export async function seedTree(options: SaverOptions, restored: HeldEntries): Promise<Tree> {
  await pause(TICK)
  const { paths } = restored.columns
  const scan = await scanTree(options.folder, options.select, undefined, paths)
  const tree = newTree(scan, restored.pieces)
  const numbers = align(scan.paths, paths)
  for (const [number, other] of numbers.entries()) {
    if (other < 0 || !isAsRestored(restored, other, scan, number)) continue
    tree.entries.take(number, restored, other)
    tree.trusted[number] = 1
  }
  return tree
}

function isAsRestored(restored: HeldEntries, other: number, scan: Scan, number: number): boolean {
  const { kind, mode, mtime } = restored.columns
  const time = scan.mtime[number] ?? 0n
  if (kind[other] !== FILE || scan.kind[number] !== FILE) return false
  if (scan.size[number] !== restored.sizeOf(other) || scan.mode[number] !== mode[other]) return false
  return isSameTime(mtime[other] ?? 0n, time) && isSettledTime(scan, time)
}
