/**
 * What is never uploaded, whatever the rules say: private files that happen to be in the work directory, and incomplete downloads of results.
 */
import { INCOMING } from '../../engine/deliver/staging.ts'
import { resolved, wayBelow } from '../../lib/paths.ts'
import { parentPath } from '../../snapshot/path.ts'

/** Why a path below `folder` is not uploaded; `undefined` for all others. `places`: absolute paths with what they are. */
export function neverUploaded(folder: string, places: ReadonlyMap<string, string>): (path: string) => string | undefined {
  const real = resolved(folder)
  const below = new Map<string, string>()
  for (const [place, what] of places) {
    const path = wayBelow(real, resolved(place))
    if (path) below.set(path, what)
  }
  return (path) => {
    if (isIncoming(path)) return 'results that did not arrive completely'
    if (below.size === 0) return undefined
    for (let at = path; at !== ''; at = parentPath(at)) {
      const what = below.get(at)
      if (what !== undefined) return what
    }
    return undefined
  }
}

/** Downloads are staged beside the outputs, which may be anywhere in the work directory. */
const isIncoming = (path: string): boolean => path.startsWith(INCOMING) || path.includes(`/${INCOMING}`)
