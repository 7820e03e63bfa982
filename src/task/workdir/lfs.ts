/** Files that are only Git LFS pointers. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { FILE, type Scan } from '../../snapshot/folder/scan.ts'
import { nativePath } from '../../snapshot/path.ts'

const POINTER = 'version https://git-lfs.github.com/spec/v1\n'
/** Bytes: between the shortest and a generous longest pointer. */
const SHORTEST = 100
const LONGEST = 1024

/** Files that are uploaded, but contain a pointer instead of their content. Looked for only if a `.gitattributes` mentions LFS. */
export function lfsPointers(folder: string, scan: Scan, isSent: (path: string) => boolean): readonly string[] {
  const below = scan.paths.filter((path) => path === '.gitattributes' || path.endsWith('/.gitattributes'))
  if (![...below.map((path) => `${folder}/${path}`), ...above(folder)].some((path) => start(path).includes('filter=lfs'))) return []
  return scan.paths.filter((path, number) => {
    const size = scan.size[number] ?? 0
    if (scan.kind[number] !== FILE || size < SHORTEST || size > LONGEST || !isSent(path)) return false
    return start(`${folder}/${path}`).startsWith(POINTER)
  })
}

/** Files of attributes in the folders above, which may belong to the repository around this one. */
function above(folder: string): string[] {
  const parents: string[] = []
  for (let at = resolve(folder); dirname(at) !== at; at = dirname(at)) parents.push(join(dirname(at), '.gitattributes'))
  return parents
}

function start(path: string): string {
  try {
    return readFileSync(nativePath(path), 'latin1')
  } catch {
    return '' // unreadable: the upload itself names it
  }
}
