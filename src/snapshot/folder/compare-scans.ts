/** Two scans of one tree: what changed between them, by stat data alone. */
import { align } from '../path.ts'
import { FILE, FOLDER, type Scan } from './scan.ts'

/** Two seconds, in nanoseconds: younger time stamps may hide a second write in the same tick (of the coarsest file systems). */
const SETTLED = 2_000_000_000n
/** Nanoseconds: the clock of time stamps lags behind the wall clock by up to a tick. */
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

/** Time stamps are so far from now that an equal stat means equal content. */
export function isSettled(scan: Scan, number: number): boolean {
  return isSettledTime(scan, scan.mtime[number]) && (scan.ctime[number] ?? scan.startedAt) < scan.startedAt - SETTLED
}

/** Of the last write: a write of now would set another one. Programs may have set it in the future, because of a time zone for example. */
export function isSettledTime({ startedAt, endedAt }: Pick<Scan, 'startedAt' | 'endedAt'>, mtime = startedAt): boolean {
  return mtime < startedAt - SETTLED || mtime > endedAt + SETTLED
}

export interface Difference {
  /** Paths that changed since their first stat. */
  readonly changed: string[]
  /** Numbers, in the first scan, of files that only grew: their beginning must be compared. */
  readonly grown: number[]
}

/** Changes between two scans because of which a snapshot of the first would not be one moment of the tree. */
export function compareScans(first: Scan, second: Scan): Difference {
  const changed: string[] = []
  const grown: number[] = []
  const during = first.endedAt + TICK
  const seen = new Uint8Array(second.paths.length)
  const numbers = align(first.paths, second.paths)
  for (const [i, j] of numbers.entries()) {
    if (j < 0) continue // deleted after it was seen: the first scan's moment had it
    seen[j] = 1
    if (sameStat(first, i, second, j)) continue
    if (first.kind[i] === FOLDER && second.kind[j] === FOLDER && first.mode[i] === second.mode[j]) {
      // Names that came or went while the scan ran belong to no single moment; later ones are after it.
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
