/** Two scans of one tree: what changed between them, by stat data alone. */
import { align } from '../path.ts'
import { FILE, FOLDER, type Scan } from './scan.ts'

/** Two seconds, in nanoseconds, the tick of the coarsest file systems: a second write within a tick leaves the time stamp as it is. */
const SETTLED = 2_000_000_000n
/** Nanoseconds by which the kernel's clock of time stamps may lag behind the wall clock. */
const TICK = 10_000_000n

export function sameStat(a: Scan, i: number, b: Scan, j: number): boolean {
  return (
    a.mtime[i] === b.mtime[j] &&
    a.ctime[i] === b.ctime[j] &&
    a.size[i] === b.size[j] &&
    a.ino[i] === b.ino[j] &&
    a.kind[i] === b.kind[j] &&
    a.mode[i] === b.mode[j]
  )
}

/** Whether its time stamps are so far from the scan that any later write would change them: then equal stat data means equal content. */
export function isSettled(scan: Scan, number: number): boolean {
  return isSettledTime(scan, scan.mtime[number]) && (scan.ctime[number] ?? scan.startedAt) < scan.startedAt - SETTLED
}

/** The same of the time of the last write alone. A time in the future counts too: programs set them, because of a time zone for example. */
export function isSettledTime({ startedAt, endedAt }: Pick<Scan, 'startedAt' | 'endedAt'>, mtime = startedAt): boolean {
  return mtime < startedAt - SETTLED || mtime > endedAt + SETTLED
}

export interface Difference {
  /** Paths that changed after the first scan saw them. */
  readonly changed: string[]
  /** Numbers, in the first scan, of files that grew. If only bytes were added, they are still as the first scan saw them: compare the bytes. */
  readonly grown: number[]
}

/** Changes between two scans that keep a snapshot from showing the tree as it was at the moment of the first. */
export function compareScans(first: Scan, second: Scan): Difference {
  const changed: string[] = []
  const grown: number[] = []
  const during = first.endedAt + TICK
  const seen = new Uint8Array(second.paths.length)
  const numbers = align(first.paths, second.paths)
  for (const [i, j] of numbers.entries()) {
    if (j < 0) continue // it was deleted later, so it belongs to the first scan
    seen[j] = 1
    if (sameStat(first, i, second, j)) continue
    if (first.kind[i] === FOLDER && second.kind[j] === FOLDER && first.mode[i] === second.mode[j]) {
      // If names came or went while the first scan ran, it shows no single moment. Later changes do not matter.
      if ((second.ctime[j] ?? 0n) <= during) changed.push(first.paths[i] ?? '')
    } else if (hasGrown(first, i, second, j)) grown.push(i)
    else changed.push(first.paths[i] ?? '')
  }
  for (const [j, path] of second.paths.entries()) {
    if (seen[j] === 0 && second.kind[j] === FILE && (second.ctime[j] ?? 0n) <= during) changed.push(path)
  }
  return { changed, grown }
}

function hasGrown(first: Scan, i: number, second: Scan, j: number): boolean {
  return (
    first.kind[i] === FILE &&
    second.kind[j] === FILE &&
    first.ino[i] === second.ino[j] &&
    first.mode[i] === second.mode[j] &&
    (second.size[j] ?? 0) > (first.size[i] ?? 0)
  )
}
