/** Removing what may be large. */
import { chmodSync, readdirSync } from 'node:fs'
import { lstat, realpath, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pause } from './clock.ts'
import { hasCode, ifGone } from './error-code.ts'
import { unmountIn } from './mount-points.ts'
import { run } from './run.ts'
import { shellQuoted } from './text.ts'

/** Attempts at a tree that another process removes, moves or fills at the same time. */
const TRIES = 5

/**
 * Removes a file or a whole tree, even with read-only folders. If it is gone already, that is fine. What is mounted in it, by a script for
 * example, belongs to others: it is unmounted first, and if that fails, nothing is removed.
 */
export async function removeTree(path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const folder = await isFolder(path)
      if (folder === undefined) return
      return await (folder ? removeFolder(path) : rm(path, { force: true }))
    } catch (error) {
      if (tries === TRIES || !hasCode(error, 'EACCES', 'EPERM', 'ENOTEMPTY', 'ENOENT', 'ERR_FS_EISDIR')) throw await explained(error)
    }
    if (tries > 1) await pause(tries * 50)
    unlock(Buffer.from(path))
  }
}

/**
 * By the system's own program, where there is one: Node.js takes 300 MB for a hundred thousand files, and does not find those whose names
 * are no UTF-8. Where that fails, Node.js says why.
 */
async function removeFolder(folder: string): Promise<void> {
  await unmountIn(await realpath(folder))
  try {
    await run('rm', ['-rf', '--', folder])
  } catch {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of another user's files, such as those that a container has written as root, the system only says that something is not permitted. */
async function explained(failure: unknown): Promise<unknown> {
  if (!hasCode(failure, 'EACCES', 'EPERM') || !(failure instanceof Error && 'path' in failure)) return failure
  const folder = dirname(String(failure.path))
  const owner = await lstat(folder).catch(() => undefined)
  if (owner === undefined || owner.uid === process.geteuid?.()) return failure
  const whose = owner.uid === 0 ? 'root' : `user ${owner.uid}`
  const next = `remove it first (sudo rm -rf ${shellQuoted(folder)}), and let containers run as your user (--user "$(id -u):$(id -g)")`
  return new Error(`"${folder}" belongs to ${whose}: ${next}`, { cause: failure })
}

/** `undefined`: nothing is there, and what others put there from now on is not touched. */
async function isFolder(path: string): Promise<boolean | undefined> {
  return (await lstat(path).catch(ifGone(undefined)))?.isDirectory()
}

/** Only root can remove something from a folder that is not writable. */
function unlock(folder: Buffer): void {
  try {
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
      if (entry.isDirectory()) unlock(Buffer.concat([folder, Buffer.from('/'), entry.name]))
    }
  } catch {
    // Gone, or not allowed to change it: the next removal says what is wrong.
  }
}
