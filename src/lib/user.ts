/** The user of this process. */
import { lstat, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'

/** May do anything on this host. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** A container may run as a user that its image does not know. */
export function ownUser(): { readonly username: string; readonly homedir: string } {
  try {
    return userInfo()
  } catch {
    return { username: String(process.getuid?.() ?? 'nobody'), homedir: tmpdir() }
  }
}

/** `undefined`: this system has none. */
export const ownNumber = (): number | undefined => process.geteuid?.()

/** Numbers of the users to whom a file or folder belongs: that of a link, and of what it leads to. Rejects as `fs` does. */
export async function ownersOf(path: string): Promise<readonly number[]> {
  return (await Promise.all([lstat(path), stat(path)])).map(({ uid }) => uid)
}
