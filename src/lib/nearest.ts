/** What the user probably meant to write. */
import { quoted } from './text.ts'

/** How many changes (insert, remove, replace, swap of neighbours) turn `a` into `b`. */
export function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let best = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (before[column - 2] ?? 0) + 1)
      }
      current.push(best)
    }
    before = last
    last = current
  }
  return last[b.length] ?? 0
}

/** The candidate closest to `name`, if it is close enough to be a slip: at most a third of the letters, or a whole word of a longer name. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64)
  let best: string | undefined
  let bestScore = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const score = scoreOf(wanted, candidate.toLowerCase())
    if (score < bestScore) {
      best = candidate
      bestScore = score
    }
  }
  return best
}

/** The lower, the closer. Infinite: it is not close enough. */
function scoreOf(wanted: string, other: string): number {
  const allowed = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3))
  const changes = distance(wanted, other)
  if (changes <= allowed) return changes
  return isPartOf(wanted, other) ? allowed + 0.5 : Number.POSITIVE_INFINITY
}

/** The hint for a name that is none of these. `otherwise`: if none of them is close. */
export function didYouMean(name: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = nearest(name, candidates)
  return meant === undefined ? otherwise : `did you mean ${quoted(meant)}?`
}

function isPartOf(name: string, other: string): boolean {
  const words = other.split('-')
  return name.length > 2 && (words.includes(name) || name.split('-').includes(other))
}
