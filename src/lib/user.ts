/** Who we are to the operating system. */
import { tmpdir, userInfo } from 'node:os'

/** May do anything on this host. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** A container may run as a user that its image has never heard of. */
export function ownUser(): { readonly username: string; readonly homedir: string } {
  try {
    return userInfo()
  } catch {
    return { username: String(process.getuid?.() ?? 'nobody'), homedir: tmpdir() }
  }
}
