/** Paths of this host: as they really are, and which is below which. */
import { realpathSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'

/** Without links. Also for paths that do not exist: as they are written. */
export function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The way from a folder to what is below it; empty for the folder itself, `undefined` for all others. Links are not followed. */
export function wayBelow(folder: string, path: string): string | undefined {
  const way = relative(folder, path)
  return way === '..' || way.startsWith('../') || isAbsolute(way) ? undefined : way
}
