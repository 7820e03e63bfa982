/** The `.git` folder as it may be sent: no credentials, hooks, helpers, or pointers to this machine. */
import { readFileSync } from 'node:fs'
import { nativePath } from '../../snapshot/path.ts'
import { scrubConfig } from './git-config.ts'
import { scrubUrls } from './urls.ts'

/** Largest file beside the objects that is searched for credentials; longer ones are left out. */
const LARGEST_TEXT = 16 << 20

/** Parts of a git folder that are left out: programs, locks, other work trees, stored credentials. */
const PARTS = [
  'hooks',
  'worktrees',
  'fsmonitor--daemon',
  // git-annex: passwords of remotes, what it tells ssh, and the key and the address (with its token) of its web page.
  // https://git-annex.branchable.com/internals/
  String.raw`annex\/(?:creds|ssh|url|webapp\.html|[^/]+\.pem)`,
  // git-crypt: keys that open every encrypted file. What is checked out is decrypted already.
  'git-crypt',
]
/** The same in the folder of a submodule. */
const EXCLUDED = new RegExp(String.raw`^(?:modules\/(?:.+\/)?)?(?:${PARTS.join('|')})(?:\/|$)`)
const EXCLUDED_NAMES = new Set(['.git-credentials', 'credentials', 'gc.pid', 'fsmonitor--daemon.ipc', 'credential-cache'])
/** Data that Git itself checks by hash, or that is not text. A submodule may itself be called `objects`. */
const DATA = /^(?:(?:objects|(?:lfs|annex)\/objects)\/|modules\/(?:.+\/)?(?:annex\/objects|(?:lfs\/)?objects\/(?:[\da-f]{2}|pack|info))\/)/
/** Branches, tags and their logs may have any name. `refs` or `logs` alone is not enough: a submodule may be called so. */
const BRANCHES = /(?:^|\/)refs\/(?:heads|tags|remotes|notes)\//
const REFERENCE = /^(?:ref: |[\da-f]{40}(?:[\da-f]{24})?\b)/

/** Whether a file of a Git folder is not uploaded. `path`: relative to that folder. */
export function staysHere(path: string, size: number): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (DATA.test(path)) return false
  const inRefs = BRANCHES.test(path)
  return (
    (!inRefs && (EXCLUDED.test(path) || EXCLUDED_NAMES.has(name))) || name.endsWith('.lock') || (size > LARGEST_TEXT && name !== 'index')
  )
}

/** What to send in place of a file's content; `undefined`: the file as it is; `'excluded'`: not at all. */
export function scrubbed(folder: string, path: string): Uint8Array | 'excluded' | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (DATA.test(path) || name === 'index') return undefined
  const bytes = readFileSync(nativePath(`${folder}/${path}`))
  const text = bytes.toString('latin1')
  if ((name === 'config' || name === 'config.worktree') && !REFERENCE.test(text)) return scrubbedConfig(bytes)
  const clean = scrubUrls(text)
  return clean === text ? undefined : Buffer.from(clean, 'latin1')
}

function scrubbedConfig(bytes: Buffer): Uint8Array | 'excluded' {
  try {
    return Buffer.from(scrubConfig(bytes.toString('utf8')))
  } catch {
    return 'excluded' // whatever it is, Git would not read it either
  }
}
