/**
 * Notes of what deliveries have put where, in `$TPI_HOME/delivered/<id>/<incarnation>.json`: path → identity of the content. The next delivery may
 * replace those files that nobody has touched.
 */
import { createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newNonce } from '../../core/identity.ts'
import { makePrivate, readJson } from '../../lib/files.ts'
import { dictionary, text } from '../../lib/shape.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { ownPath, readReceipt } from './destination.ts'
import { entryIdentity, type Installed, type PlacedFile } from './place.ts'

const TEXT = text(65_536)
const NOTE = dictionary(TEXT, TEXT, 10_000_000)

type Home = Pick<Engine, 'home'>
type Named = Pick<Deployment, 'id' | 'incarnation'>

export function notePath(engine: Home, d: Named): string {
  return ownPath(engine.home, 'delivered', d)
}

/** `undefined`: there is none, or a power cut has torn it. Then results are still delivered, but nothing is replaced. */
export async function readNote(path: string): Promise<Readonly<Record<string, string>> | undefined> {
  return readJson(path, NOTE)
}

/**
 * The last note about the same folder from another run of the same name. Empty if there is none, if another command is removing it, or if it
 * cannot be read: results are then delivered, but nothing is replaced.
 */
export async function earlierNote(engine: Home, d: Named, folder: string): Promise<Readonly<Record<string, string>>> {
  const at = dirname(notePath(engine, d))
  const names = (await readdir(at).catch(() => [])).filter((name) => name.endsWith('.json'))
  const timeOf = (name: string): Promise<number> =>
    stat(join(at, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
  const times = await Promise.all(names.map(async (name) => ({ name, time: await timeOf(name) })))
  for (const { name } of times.sort((a, b) => b.time - a.time)) {
    const before = await readReceipt(engine, { id: d.id, incarnation: name.slice(0, -'.json'.length) }).catch(() => undefined)
    if (before?.folder === folder) return (await readNote(join(at, name)).catch(() => undefined)) ?? {}
  }
  return {}
}

/**
 * Writes the note: what `former` says, and what this delivery has put in the folder. `beside`: results whose place was taken, and where they went
 * instead.
 */
export async function writeNote(
  path: string,
  former: Readonly<Record<string, string>>,
  placed: Iterable<Delivered>,
  beside: Installed['beside'],
): Promise<void> {
  await makePrivate(dirname(path))
  // A name of its own: at this moment another command may deliver the same results to another folder.
  const temporary = `${path}.${newNonce()}.part`
  try {
    await pipeline(Readable.from(inParts(noted(former, placed, beside))), createWriteStream(temporary))
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

type Delivered = Pick<PlacedFile, 'path' | 'entry'>

function* noted(
  former: Readonly<Record<string, string>>,
  placed: Iterable<Delivered>,
  beside: Installed['beside'],
): Generator<readonly [string, string]> {
  const noted = new Map(Object.entries(former))
  for (const { path, entry } of placed) {
    if (entry.type === 'folder') continue
    const conflict = beside.get(path)
    if (conflict && !conflict.written) continue
    const at = conflict?.path ?? path
    noted.delete(at)
    yield [at, entryIdentity(entry)]
  }
  yield* noted
}

const LINES_AT_ONCE = 500

/** The note as JSON, some lines at a time: with many files, one text would take more memory than everything else. */
function* inParts(values: Iterable<readonly [string, string]>): Generator<string> {
  let part = '{'
  let lines = 0
  for (const [name, value] of values) {
    part += `${lines === 0 ? '' : ',\n'}${JSON.stringify(name)}:${JSON.stringify(value)}`
    if (++lines % LINES_AT_ONCE !== 0) continue
    yield part
    part = ''
  }
  yield `${part}}`
}
