/**
 * Notes of where the deployments of this home are, in `$TPI_HOME/deployments/<id>.json`: with which options a later command finds them, because
 * clouds show nothing without credentials, and the forge of runners if an option named it.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivate, recordsIn, writeJson } from '../lib/files.ts'
import { dictionary, json, line, object } from '../lib/shape.ts'
import { label, word } from '../wire/parse.ts'

export interface Locator {
  readonly id: string
  readonly name: string
  readonly cloud: string
  /** Option values that identify the account, cluster, region or forge. Never a credential. */
  readonly options: Readonly<Record<string, unknown>>
}

const LINE = line(4096)
const locator = object<Locator>({ id: label, name: label, cloud: word, options: dictionary(LINE, json(), 1000) })

const folderOf = (home: string): string => join(home, 'deployments')

/** Notes where a deployment is. */
export async function locate(home: string, place: Locator): Promise<void> {
  const folder = folderOf(home)
  await makePrivate(folder)
  await writeJson(join(folder, `${place.id}.json`), place, { durable: true })
}

/** Removes the note of a deployment that is gone, if there is one. */
export async function unlocate(home: string, id: string): Promise<void> {
  await rm(join(folderOf(home), `${id}.json`), { force: true })
}

/** All notes. */
export async function located(home: string): Promise<Locator[]> {
  return recordsIn(folderOf(home), /^tpi-.*\.json$/, locator)
}
