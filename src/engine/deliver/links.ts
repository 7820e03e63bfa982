/** Links among results, and where they lead once they are in the output folder: none may lead out of it, whatever other links there are. */
import { join } from 'node:path'
import { isBelowGit } from '../../lib/git-name.ts'
import { linkTarget } from '../../snapshot/folder/reader.ts'
import { parentPath } from '../../snapshot/path.ts'
import { thereAt } from './folders.ts'

/** Links that are followed one after the other: as many as Linux follows. */
const MOST_LINKS = 40

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.')

/**
 * Whether the target, as it is written, stays in the tree of its link: it first goes up, at most to the root of the tree, and then only down. (Where
 * `a/..` leads depends on what `a` is.) `path`: of the link in its tree.
 */
export function staysBelow(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  const names = namesOf(target)
  const up = names.lastIndexOf('..') + 1
  return names.slice(0, up).every((name) => name === '..') && up < path.split('/').length
}

/**
 * Where a link at `path` with this target leads, relative to `root` (a real path), through all links that exist. What does not exist counts as a
 * plain name. `undefined`: it leads out of the root, or into a repository's own folder.
 */
export async function leadsTo(root: string, path: string, target: string): Promise<string | undefined> {
  const todo = namesOf(target)
  const here = namesOf(parentPath(path))
  for (let links = 0; todo.length > 0 && links <= MOST_LINKS; ) {
    const name = todo.shift() ?? ''
    if (name === '..') {
      if (here.pop() === undefined) return undefined
      continue
    }
    const there = join(root, ...here, name)
    if (!(await thereAt(there))?.isSymbolicLink()) {
      here.push(name)
      continue
    }
    links += 1
    const next = linkTarget(there)
    const below = next.startsWith('/') ? relativeTo(root, next) : next
    if (below === undefined) return undefined
    if (next.startsWith('/')) here.length = 0
    todo.unshift(...namesOf(below))
  }
  const end = here.join('/')
  return isBelowGit(end) ? undefined : end
}

/** The absolute path, relative to the root; `undefined`: as it is written, it is not below the root. */
function relativeTo(root: string, path: string): string | undefined {
  if (path === root) return ''
  return path.startsWith(root === '/' ? root : `${root}/`) ? path.slice(root.length) : undefined
}
