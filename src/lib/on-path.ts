/** Where a program is. */
import { constants } from 'node:fs'
import { join } from 'node:path'
import { mayAccess } from './files.ts'

/** The file of a program on the path; `undefined`: there is none that this user may run. */
export function onPath(name: string, path: string | undefined): string | undefined {
  const files = (path ?? '').split(':').map((folder) => join(folder || '.', name))
  return files.find((file) => mayAccess(file, constants.X_OK))
}
