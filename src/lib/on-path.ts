/** Where a program is. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** The file of a program on the path; `undefined`: there is none that this user may run. */
export function onPath(name: string, path: string | undefined): string | undefined {
  const files = (path ?? '').split(':').map((folder) => join(folder || '.', name))
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
