/** What of a work directory this user cannot read: it is not sent, and the user hears of it before anything is made. */
import { closeSync } from 'node:fs'
import { openFile } from '../../snapshot/folder/reader.ts'
import { FILE, type Scan } from '../../snapshot/folder/scan.ts'
import { parentPath } from '../../snapshot/path.ts'

/** Everybody may read it: only an access list could still forbid that, and then the upload itself names the file. */
const FOR_ALL = 0o444

interface Choice {
  readonly isSent: (path: string) => boolean
  readonly excluded: (path: string) => boolean
}

/** Files and folders that would be sent otherwise. */
export function unreadableIn(folder: string, scan: Scan, { isSent, excluded }: Choice): ReadonlySet<string> {
  // Of some, not even the kind is known (in a folder that cannot be entered, or a mount that is dead): they are not among the paths.
  const known = new Set(scan.unreadable.length > 0 ? scan.paths : [])
  const isLost = (path: string): boolean => !known.has(path) && !excluded(path) && (parentPath(path) === '' || isSent(parentPath(path)))
  const found = new Set(scan.unreadable.filter((path) => isSent(path) || isLost(path)))
  for (const [number, path] of scan.paths.entries()) {
    const mode = scan.mode[number] ?? 0
    if (scan.kind[number] === FILE && (mode & FOR_ALL) !== FOR_ALL && isSent(path) && !isReadable(folder, path)) found.add(path)
  }
  return found
}

function isReadable(folder: string, path: string): boolean {
  const opened = openFile({ path, source: `${folder}/${path}`, size: 0 })
  if (typeof opened === 'number') closeSync(opened)
  return opened !== 'unreadable'
}
