/** Where deployments of this home are that no cloud without credentials would show: `$TPI_HOME/deployments/<id>.json`. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn, readJson, writeJson } from '../lib/files.ts'

export interface Locator {
  readonly id: string
  readonly name: string
  readonly cloud: string
  /** Option values that say which account, cluster or region it was. Never a credential. */
  readonly options: Readonly<Record<string, unknown>>
}

const folderOf = (home: string): string => join(home, 'deployments')

export async function locate(home: string, locator: Locator): Promise<void> {
  const folder = folderOf(home)
  await mkdir(folder, { recursive: true })
  await writeJson(join(folder, `${locator.id}.json`), locator, { durable: true })
}

/** Forgets a deployment that is gone; one that was never noted is fine. */
export async function unlocate(home: string, id: string): Promise<void> {
  await rm(join(folderOf(home), `${id}.json`), { force: true })
}

/** One that goes meanwhile, or was cut off by a power cut, hides none of the others. */
export async function located(home: string): Promise<Locator[]> {
  const names = (await namesIn(folderOf(home))).filter((name) => name.startsWith('tpi-') && name.endsWith('.json'))
  const read = await Promise.all(names.map((name) => readJson<Locator>(join(folderOf(home), name))))
  return read.filter((locator) => locator !== undefined)
}
