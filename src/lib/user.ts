/** The user of this process. */
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
