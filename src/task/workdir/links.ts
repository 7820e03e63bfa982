/** Links that will dangle on the machine, such as one to a disk with data, or into a cache that is not uploaded. */
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { resolved, wayBelow } from '../../lib/paths.ts'
import { linkTarget } from '../../snapshot/folder/reader.ts'
import { LINK, type Scan } from '../../snapshot/folder/scan.ts'
import { nativePath, parentPath } from '../../snapshot/path.ts'

/** Folders that most machines have, too. */
const SYSTEM = /^\/(?:Applications|bin|dev|etc|lib\w*|Library|nix|opt|proc|sbin|sys|System|usr)(?:\/|$)/

/** Links that are sent and lead to something here that is not sent. */
export function danglingLinks(folder: string, scan: Scan, isSent: (path: string) => boolean): readonly string[] {
  const real = resolved(folder)
  return scan.paths.filter((path, number) => scan.kind[number] === LINK && isSent(path) && willDangle(real, path, isSent))
}

function willDangle(folder: string, path: string, isSent: (path: string) => boolean): boolean {
  const target = targetOf(`${folder}/${path}`)
  if (target === undefined) return false
  if (target.startsWith('/')) return (!SYSTEM.test(target) || wayBelow(folder, target) !== undefined) && existsSync(nativePath(target))
  const aim = posix.join(parentPath(path), target).replace(/\/$/, '')
  if (aim === '.' || isSent(aim)) return false
  // It may lead to something that is sent by way of other links.
  const end = `${folder}/${path}`
  if (!existsSync(nativePath(end))) return false
  const way = wayBelow(folder, resolved(end))
  return way === undefined || (way !== '' && !isSent(way))
}

function targetOf(path: string): string | undefined {
  try {
    return linkTarget(path)
  } catch {
    return undefined // it has just gone
  }
}
