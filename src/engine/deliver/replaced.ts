/** Files that links of the results have replaced: kept until it is certain that the links stay. If a link is taken back, its file is restored. */
import { rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newNonce } from '../../core/identity.ts'
import { hasCode } from '../../lib/error-code.ts'
import { nativePath } from '../../snapshot/path.ts'

export class Replaced {
  /** Absolute path → the path in the same folder where the file is for now. */
  readonly #moved = new Map<string, string>()

  /** Moves away what is at `path`, if anything is: something else will be put there. */
  async keep(path: string): Promise<void> {
    const moved = join(dirname(path), `.tpi-${newNonce()}.part`)
    try {
      await rename(nativePath(path), nativePath(moved))
      this.#moved.set(path, moved)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }

  /** Removes what was put at `path`. `true`: what had been there is back. */
  async restore(path: string): Promise<boolean> {
    const moved = this.#moved.get(path)
    if (moved === undefined) {
      await unlink(nativePath(path))
      return false
    }
    await rename(nativePath(moved), nativePath(path))
    this.#moved.delete(path)
    return true
  }

  /** Restores all of them: the delivery has failed. */
  async restoreAll(): Promise<void> {
    for (const path of this.#moved.keys()) await this.restore(path)
  }

  /** Removes them for good: the links stay. */
  async forget(): Promise<void> {
    for (const moved of this.#moved.values()) await unlink(nativePath(moved))
    this.#moved.clear()
  }
}
