/** Putting one result in its place, atomically. */
import { chmod, copyFile, lutimes, rename, rm, symlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newNonce } from '../../core/identity.ts'
import { hasCode } from '../../lib/error-code.ts'
import { flush } from '../../lib/files.ts'
import { nativePath } from '../../snapshot/path.ts'
import { seconds } from '../../snapshot/restore/extract.ts'
import type { Entry, FileEntry } from '../../snapshot/types.ts'

/** Bits of a mode that results may have: no set-id bit, so what a machine made runs with the rights of whoever starts it. */
export const PERMISSIONS = 0o777

/** `from`: downloaded and verified; its folder and that of `target` exist. */
export async function put(from: string, entry: Exclude<Entry, { type: 'folder' }>, target: string): Promise<void> {
  if (entry.type === 'link')
    return shortly(target, async (temporary) => {
      await symlink(nativePath(entry.target), nativePath(temporary))
      await lutimes(nativePath(temporary), seconds(entry.mtime), seconds(entry.mtime))
    })
  try {
    await rename(nativePath(from), nativePath(target))
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
    await shortly(target, async (temporary) => copy(nativePath(from), temporary, entry))
  }
}

/** Makes it under another name first. That name is short, because the file's own may be as long as names can be. */
async function shortly(target: string, make: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = join(dirname(target), `.tpi-${newNonce()}.part`)
  try {
    await make(temporary)
    await rename(nativePath(temporary), nativePath(target))
  } catch (error) {
    await rm(nativePath(temporary), { force: true })
    throw error
  }
}

/** To another file system; flushed before it gets its name. */
async function copy(from: string | Buffer, to: string, entry: FileEntry): Promise<void> {
  await copyFile(from, nativePath(to))
  await flush(nativePath(to))
  await chmod(nativePath(to), entry.mode & PERMISSIONS)
  await utimes(nativePath(to), seconds(entry.mtime), seconds(entry.mtime))
}
