/** Keeps things that take long to make or fetch for later runs, under a name that says everything they are made from. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify } from '../../src/lib/process.ts'

/** Absolute path of the cache: `$TPI_LAB_CACHE`, or `.cache/lab` in the repository. */
export function labCache(): string {
  return process.env['TPI_LAB_CACHE'] ?? join(import.meta.dirname, '..', '..', '.cache', 'lab')
}

export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, 16)
}

const making = new Map<string, Promise<string>>()

/**
 * The path of a folder that is made once. It is made next to its place and then moved, so a killed maker leaves no half of it; others that need it
 * meanwhile, also in other processes, wait for it.
 */
export async function kept(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(labCache(), name)
  if (existsSync(folder)) return folder
  const mine = making.get(folder) ?? makeOnce(folder, make).finally(() => making.delete(folder))
  making.set(folder, mine)
  return await mine
}

async function makeOnce(folder: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  await mkdir(dirname(folder), { recursive: true })
  const lock = `${folder}.lock`
  while (!(await lockedBy(lock))) {
    await sleep(200)
    if (existsSync(folder)) return folder
  }
  try {
    if (existsSync(folder)) return folder
    const part = await mkdtemp(join(dirname(folder), `${basename(folder)}.part-`))
    try {
      await chmod(part, 0o755)
      await make(part)
      await rename(part, folder)
      return folder
    } finally {
      await rm(part, { recursive: true, force: true })
    }
  } finally {
    await rm(lock, { force: true })
  }
}

/** Whether this process has the lock now. Breaks the lock of a dead holder, for the next try. */
async function lockedBy(lock: string): Promise<boolean> {
  const me = identify(process.pid)
  const mine = `${lock}-${process.pid}`
  await writeFile(mine, `${me?.pid} ${me?.start}`)
  try {
    // A link, so that the lock is never seen without its content.
    await link(mine, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(mine, { force: true })
  }
  const [pid, start] = (await readFile(lock, 'utf8').catch(() => '')).split(' ')
  if (pid && start && identify(Number(pid))?.start !== start) await rm(lock, { force: true })
  return false
}

/** For things made by a recipe: the recipe's digest is part of the name. */
export async function cached(name: string, digest: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  return await kept(`${name}-${digest}`, make)
}
