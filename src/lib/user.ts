/** Who we are to the operating system. */
import { tmpdir, userInfo } from 'node:os'

/** A container may run as a user that its image has never heard of. */
export function ownUser(): { readonly username: string; readonly homedir: string } {
  try {
    return userInfo()
  } catch {
    return { username: String(process.getuid?.() ?? 'nobody'), homedir: tmpdir() }
  }
}
