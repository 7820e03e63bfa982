/** What stays in `$TPI_HOME` when a deployment is gone: its last status, so that `status NAME` still answers. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newNonce } from '../core/identity.ts'
import type { Status } from './status.ts'

export async function remember(home: string, status: Status): Promise<void> {
  const folder = join(home, 'history')
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `.${newNonce()}`)
  await writeFile(temporary, `${JSON.stringify(status, null, 1)}\n`)
  await rename(temporary, join(folder, `${status.id}.json`))
}

export async function recall(home: string): Promise<Status[]> {
  const folder = join(home, 'history')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = names.filter((name) => /^tpi-.*\.json$/.test(name))
  const read = await Promise.all(files.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Status))
  return read.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}
