/** What links took the place of, until it is known whether they stay: a link that is taken back gives its place back too. */
import { rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newNonce } from '../../core/identity.ts'
import { hasCode } from '../../lib/files.ts'
import { nativePath } from '../../snapshot/path.ts'

export class Replaced {
  /** Absolute path → the name that it has meanwhile, in the same folder. */
  readonly #aside = new Map<string, string>()

  /** Before something is put at `path`. */
  async keep(path: string): Promise<void> {
    const aside = join(dirname(path), `.tpi-${newNonce()}.part`)
    try {
      await rename(nativePath(path), nativePath(aside))
      this.#aside.set(path, aside)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }

  /** Takes away what was put at `path`. True: what was there before is there again. */
  async restore(path: string): Promise<boolean> {
    const aside = this.#aside.get(path)
    if (aside === undefined) {
      await unlink(nativePath(path))
      return false
    }
    await rename(nativePath(aside), nativePath(path))
    this.#aside.delete(path)
    return true
  }

  /** Nothing was judged. */
  async restoreAll(): Promise<void> {
    for (const path of this.#aside.keys()) await this.restore(path)
  }

  /** What has its place now stays. */
  async forget(): Promise<void> {
    for (const aside of this.#aside.values()) await unlink(nativePath(aside))
    this.#aside.clear()
  }
}
