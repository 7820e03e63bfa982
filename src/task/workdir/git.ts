/** Runs Git's own program, because only that knows all of Git's rules. */
import { spawn } from 'node:child_process'
import type { Env } from '../../lib/env.ts'

/** Variables that would make Git look elsewhere than in the folder. */
const MISLEADING = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_CEILING_DIRECTORIES',
]
/** The user has named the folder, so it may belong to anybody. No program that its configuration names is run. */
const SAFE = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false']

export interface GitAnswer {
  readonly code: number
  readonly out: Buffer
}

/** Runs git in `folder`. `undefined`: there is no such program. */
export function git(folder: string, args: readonly string[], env: Env, input?: Buffer): Promise<GitAnswer | undefined> {
  const clean = { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
  for (const name of MISLEADING) Reflect.deleteProperty(clean, name)
  return new Promise((resolve) => {
    const child = spawn('git', [...SAFE, ...args], { cwd: folder, env: clean, stdio: ['pipe', 'pipe', 'ignore'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', () => resolve(undefined))
    child.on('close', (code) => resolve({ code: code ?? 1, out: Buffer.concat(chunks) }))
    child.stdin.on('error', () => undefined) // it ended before it had read everything: its exit code says why
    child.stdin.end(input)
  })
}

/** NUL-separated names. */
export function names(out: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let from = 0; from < out.length; ) {
    const end = out.indexOf(0, from)
    found.push(out.subarray(from, end < 0 ? out.length : end))
    from = end < 0 ? out.length : end + 1
  }
  return found
}
