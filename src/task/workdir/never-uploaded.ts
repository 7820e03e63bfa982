/** What is never uploaded, whatever the rules say: files of the user that just happen to be in the work directory. */
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
  if (below.size === 0) return () => undefined
  return (path) => {
    for (let at = path; at !== ''; at = parentPath(at)) {
      const what = below.get(at)
      if (what !== undefined) return what
    }
    return undefined
  }
}
