/** What deliveries of a deployment left where: the next delivery may replace those files that nobody has touched. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newNonce } from '../../core/identity.ts'
import { makePrivate, readJson } from '../../lib/files.ts'
import { text as anyText, dictionary } from '../../lib/shape.ts'
import { entryIdentity, type Installed, type PlacedFile } from './place.ts'

const TEXT = anyText(65_536)
const NOTE = dictionary(TEXT, TEXT, 10_000_000)

/** `undefined`: there is none, or a power cut has torn it. Then results are still delivered, but nothing is replaced. */
export async function readNote(path: string): Promise<Readonly<Record<string, string>> | undefined> {
  return readJson(path, NOTE)
}

/** Adds what this delivery put in the folder; `beside`: paths at which the user's own file stayed, and where the result went instead. */
export async function writeNote(
  path: string,
  former: Readonly<Record<string, string>>,
  placed: Iterable<Delivered>,
  beside: Installed['beside'],
): Promise<void> {
  await makePrivate(dirname(path))
  // A separate file: another command may deliver the same to another folder at this moment.
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

/** JSON, some lines at a time: one text of many files would take more memory than all the rest. */
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
