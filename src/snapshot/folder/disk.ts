/** Whole folders on this machine's disk. */
import { errorCode } from '../../lib/error-code.ts'
import { flush } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove.ts'
import { run } from '../../lib/run.ts'
import { sideBySide } from '../../lib/side-by-side.ts'
import { BESIDE } from '../../wire/machine.ts'
import { localError } from '../errors.ts'
import { nativePath } from '../path.ts'
import { FILE, FOLDER, scanTree } from './scan.ts'

/** Up to so many flushes cost less than starting a program. */
const FEW = 32
/** Flushes at a time. */
const FLUSHES = 4

/** The paths of what we make beside a folder. */
export const beside = (folder: string): Readonly<Record<keyof typeof BESIDE, string>> => ({
  part: folder + BESIDE.part,
  copies: folder + BESIDE.copies,
})

/** Removes a work directory, and what we made beside it. */
export async function wipeWork(folder: string): Promise<void> {
  await Promise.all([folder, ...Object.values(beside(folder))].map(wipe))
}

/** Removes a folder or file with all that is in it. Gone already is fine. */
export async function wipe(path: string): Promise<void> {
  try {
    await removeTree(path)
  } catch (error) {
    throw localError(`remove "${path}"`, error)
  }
}

/**
 * Everything below `folder` is on disk when this resolves. `sync -f` flushes the whole file system at once, where fifty thousand calls of fsync would
 * take minutes. Each file and folder is flushed by itself if there are few of them (`entries`), or if `sync` has no such option (macOS, small
 * containers).
 */
export async function syncTree(folder: string, entries: number): Promise<void> {
  if (entries <= FEW) return await syncEach(folder)
  try {
    await run('sync', ['-f', folder])
  } catch {
    await syncEach(folder)
  }
}

async function syncEach(folder: string): Promise<void> {
  const { paths, kind } = await scanTree(folder)
  const waiting = [
    folder,
    ...paths.filter((_, number) => kind[number] === FILE || kind[number] === FOLDER).map((path) => `${folder}/${path}`),
  ]
  await sideBySide(FLUSHES, waiting, syncOne)
}

async function syncOne(path: string): Promise<void> {
  try {
    await flush(nativePath(path))
  } catch (error) {
    // A file we may not open again (its mode says so) cannot be flushed by itself.
    if (errorCode(error) !== 'EACCES') throw localError(`flush "${path}"`, error)
  }
}
