/** Whether a program is on the path. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

export function onPath(name: string, path: string | undefined): boolean {
  return (path ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder || '.', name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
