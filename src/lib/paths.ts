/** Paths of this host: as they really are, and which is below which. */
import { realpathSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'

/** The path without links. One that does not exist stays as it is. */
export function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The relative path from a folder to something below it; empty for the folder itself, `undefined` for anything else. Links are not followed. */
export function wayBelow(folder: string, path: string): string | undefined {
  const way = relative(folder, path)
  return way === '..' || way.startsWith('../') || isAbsolute(way) ? undefined : way
}
