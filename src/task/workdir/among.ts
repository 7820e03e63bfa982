/** Whether a path is one of many. */
import { comparePaths } from '../../snapshot/path.ts'

/** `paths` in the order of `comparePaths`. At its best for who asks in that order too, as a scan does, again and again. */
export function among(paths: readonly string[]): (path: string) => boolean {
  let next = 0
  return (path) => {
    if (paths[next] !== path) next = firstFrom(paths, path)
    if (paths[next] !== path) return false
    next += 1
    return true
  }
}

/** Number of the first that does not come before it. */
function firstFrom(paths: readonly string[], path: string): number {
  let [from, to] = [0, paths.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (comparePaths(paths[middle] ?? '', path) < 0) from = middle + 1
    else to = middle
  }
  return from
}
