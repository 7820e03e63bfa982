/**
 * The folder that contains everything. If it is on a disk of its own, that may be away for a while. Then the folder is missing or empty, which must
 * never be taken for "nothing is stored here".
 */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ifGone } from '../../lib/error-code.ts'
import { StoreError } from '../../wire/store.ts'
import type { FolderSync } from './durable.ts'

export class Root {
  readonly path: string
  /** Identity of the folder as first seen, without the device number: a network disk may get another one when it comes back. */
  #inode: bigint | undefined

  constructor(path: string) {
    this.path = path
  }

  /**
   * Throws `unavailable` if the folder is not the one that was seen before. One that was never seen may be missing.
   *
   * It must have been there before and after a call that found nothing: after it alone, the folder may have just come back.
   */
  async mustBeThere(): Promise<void> {
    const inode = await this.#look()
    if (this.#inode === undefined) this.#inode = inode
    else if (inode !== this.#inode)
      throw new StoreError('unavailable', `storage: the folder "${this.path}" is not the one that was there before`)
  }

  /** The same; a folder that was never seen is created. */
  async make(syncs: FolderSync): Promise<void> {
    await this.mustBeThere()
    if (this.#inode !== undefined) return
    const first = await mkdir(this.path, { recursive: true, mode: 0o700 })
    await this.mustBeThere()
    if (first === undefined) return
    for (let made = this.path; made.length >= first.length; made = dirname(made)) await syncs.sync(dirname(made))
  }

  async #look(): Promise<bigint | undefined> {
    return (await stat(this.path, { bigint: true }).catch(ifGone(undefined)))?.ino
  }
}
