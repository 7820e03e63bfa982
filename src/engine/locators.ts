/** Where deployments of this home are that no cloud without credentials would show: `$TPI_HOME/deployments/<id>.json`. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newNonce } from '../core/identity.ts'

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
  const temporary = join(folder, `.${newNonce()}`)
  await writeFile(temporary, JSON.stringify(locator))
  await rename(temporary, join(folder, `${locator.id}.json`))
}

/** Forgets a deployment that is gone; one that was never noted is fine. */
export async function unlocate(home: string, id: string): Promise<void> {
  await rm(join(folderOf(home), `${id}.json`), { force: true })
}

export async function located(home: string): Promise<Locator[]> {
  const names = await readdir(folderOf(home)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = names.filter((name) => name.startsWith('tpi-') && name.endsWith('.json'))
  return Promise.all(files.map(async (name) => JSON.parse(await readFile(join(folderOf(home), name), 'utf8')) as Locator))
}
