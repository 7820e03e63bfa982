/** What of a work directory this user cannot read: it is not sent, and the user hears of it before anything is made. */
import { closeSync } from 'node:fs'
import { openFile } from '../../snapshot/folder/reader.ts'
import { FILE, type Scan } from '../../snapshot/folder/scan.ts'

/** Everybody may read it: only an access list could still forbid that, and then the upload itself names the file. */
const FOR_ALL = 0o444

/** Files and folders, of those for which `isSent` says so. */
export function unreadableIn(folder: string, scan: Scan, isSent: (path: string) => boolean): ReadonlySet<string> {
  const found = new Set(scan.unreadable.filter(isSent))
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
