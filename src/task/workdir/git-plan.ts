/** Which Git folders are uploaded, and which parts of them. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { isGone } from '../../lib/error-code.ts'
import { gitFolderOf } from '../../lib/git-name.ts'
import { isUnreadable } from '../../snapshot/errors.ts'
import { FILE, FOLDER, type Scan } from '../../snapshot/folder/scan.ts'
import { nameSome, nativePath, showPath } from '../../snapshot/path.ts'
import { scrubbed, staysHere } from './git-folder.ts'

/** Bytes of all Git folders together that are sent without being asked for. */
const AUTO_LIMIT = 200e6

export interface GitPlan {
  /** Paths of files and folders below (and including) `.git` that are sent. */
  readonly sent: ReadonlySet<string>
  readonly overlay: ReadonlyMap<string, Uint8Array>
  readonly notices: readonly string[]
  /** Git folders that are left out, with the reason and what to do about it. */
  readonly excluded: ReadonlyMap<string, { readonly rule: string; readonly remedy: string }>
}

export interface GitParams {
  readonly git: 'auto' | boolean
  /** The user's rule, if any, that leaves out a path. */
  readonly barred: (path: string) => string | undefined
}

export function planGit(folder: string, scan: Scan, { git, barred }: GitParams): GitPlan {
  const plan = {
    sent: new Set<string>(),
    overlay: new Map<string, Uint8Array>(),
    notices: [] as string[],
    unread: [] as string[],
    excluded: new Map<string, { rule: string; remedy: string }>(),
  }
  const pointers: string[] = []
  const inside = new Map<string, number[]>()
  for (const [number, path] of scan.paths.entries()) {
    const at = gitFolderOf(path)
    if (at === undefined) continue
    if (at === path && scan.kind[number] === FILE) pointers.push(path)
    else if (at === path && scan.kind[number] === FOLDER) inside.set(at, [number])
    else inside.get(at)?.push(number)
  }
  const kept = (number: number, at: string): boolean => !staysHere((scan.paths[number] ?? '').slice(at.length + 1), scan.size[number] ?? 0)
  let total = 0
  for (const [at, numbers] of inside) {
    const rule = git === false ? 'option git: false' : barred(at)
    if (rule !== undefined) plan.excluded.set(at, { rule, remedy: git === false ? 'set git to auto or true' : 'remove that rule' })
    else for (const number of numbers) if (scan.kind[number] === FILE && kept(number, at)) total += scan.size[number] ?? 0
  }
  const tooLarge = git === 'auto' && total > AUTO_LIMIT
  for (const [at, numbers] of inside) {
    if (plan.excluded.has(at)) continue
    if (tooLarge)
      plan.excluded.set(at, { rule: `more than ${formatBytes(AUTO_LIMIT)} of Git folders`, remedy: 'set git to true to send it' })
    else for (const number of numbers) if (kept(number, at)) sendPart(folder, scan, number, at, plan)
  }
  for (const at of pointers) if (git !== false && barred(at) === undefined) sendPointer(folder, at, plan)
  const { unread, ...found } = plan
  if (unread.length > 0) found.notices.push(`not sent because it cannot be read: ${nameSome(unread)}`)
  return found
}

interface Draft {
  readonly sent: Set<string>
  readonly overlay: Map<string, Uint8Array>
  readonly notices: string[]
  /** Paths that are not sent because they cannot be read. */
  readonly unread: string[]
}

function sendPart(folder: string, scan: Scan, number: number, at: string, plan: Draft): void {
  const path = scan.paths[number] ?? ''
  if (scan.kind[number] === FILE) {
    const clean = readHere(plan, path, () => scrubbed(`${folder}/${at}`, path.slice(at.length + 1)))
    if (clean === 'excluded') return
    if (clean !== undefined) plan.overlay.set(path, clean)
    if (path.endsWith('/objects/info/alternates'))
      plan.notices.push(`${showPath(at)} borrows objects from another repository: Git will not work with it on the machine`)
  }
  plan.sent.add(path)
}

/** A file that cannot be read is left out, and reported. One that Git has removed meanwhile is left out without a word. */
function readHere<T>({ unread }: Draft, path: string, read: () => T): T | 'excluded' {
  try {
    return read()
  } catch (error) {
    if (isGone(error)) return 'excluded'
    if (!isUnreadable(error)) throw error
    unread.push(path)
    return 'excluded'
  }
}

/** A `.git` file names the real Git folder. It is sent only if that folder is sent, too. */
function sendPointer(folder: string, at: string, plan: Draft): void {
  const text = readHere(plan, at, () => readFileSync(nativePath(`${folder}/${at}`), 'utf8'))
  if (text === 'excluded') return
  const [, target] = /^gitdir: (.+?)\n*$/.exec(text) ?? []
  const real = target === undefined || target.startsWith('/') ? undefined : posix.normalize(posix.join(posix.dirname(at), target))
  if (real !== undefined && plan.sent.has(real)) plan.sent.add(at)
  else plan.notices.push(`${showPath(at)} only points to a Git folder elsewhere and is not sent: there is no repository on the machine`)
}
