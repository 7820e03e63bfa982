/** What stays in `$TPI_HOME` when a deployment is gone: its last status, so that `status NAME` still answers. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn, readJson, writeWhole } from '../lib/files.ts'
import type { Status } from './status.ts'

export async function remember(home: string, status: Status): Promise<void> {
  const folder = join(home, 'history')
  await mkdir(folder, { recursive: true })
  await writeWhole(join(folder, `${status.id}.json`), `${JSON.stringify(status, null, 1)}\n`)
}

/** Youngest first. What is cut off, or goes meanwhile, hides none of the others. */
export async function recall(home: string): Promise<Status[]> {
  const folder = join(home, 'history')
  const names = (await namesIn(folder)).filter((name) => /^tpi-.*\.json$/.test(name))
  const read = await Promise.all(names.map((name) => readJson<Status>(join(folder, name))))
  return read.filter((status) => status !== undefined).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}
