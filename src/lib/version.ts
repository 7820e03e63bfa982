/** Versions, compared by their numbers: 2.99 is older than 2.100. A number that is missing counts as 0. */
export function isOlder(version: string, other: string): boolean {
  const [mine = [], theirs = []] = [version, other].map((text) => text.split('.').map(Number))
  for (let at = 0; at < Math.max(mine.length, theirs.length); at++) {
    const more = (mine[at] ?? 0) - (theirs[at] ?? 0)
    if (more !== 0) return more < 0
  }
  return false
}
