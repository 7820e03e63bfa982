/** `tpi comment FILE`: puts Markdown on the pull or merge request. The next one of the same name replaces it. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { InputError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import { quoted } from '../lib/text.ts'
import { readingTrouble } from '../options/sources/assignment.ts'
import type { VerbContext } from './shared/context.ts'
import { openDiscussion, say } from './shared/discussion.ts'

/** Bytes: several times what any forge accepts. */
const LARGEST = 8e6

export async function comment(context: VerbContext): Promise<number> {
  const { values, host, cwd } = context
  if (values.file === undefined) throw new InputError('file: name a Markdown file')
  const path = resolve(cwd, values.file)
  const text = await textOf(path).catch((error: unknown) => {
    throw new InputError(`file: ${quoted(values.file ?? '')} ${readingTrouble(error)}`)
  })
  const place = await openDiscussion(context)
  if (!place)
    throw new InputError('pull-request: this job does not belong to a pull or merge request', {
      hint: 'name its number: --pull-request N (and --repository OWNER/NAME outside CI)',
    })
  const { url, how } = await say(context, place, values.name ?? 'report', text, { folder: dirname(path) })
  if (values.json) host.facts({ title: place.title, url, how })
  else host.print(`${place.title}: comment ${how}: ${url}`)
  return EXIT.ok
}

/** Checked before it is read: it may be the result of a run, and so anything. */
async function textOf(path: string): Promise<string> {
  const there = await stat(path)
  if (!there.isFile()) throw new Error('it is not a file')
  if (there.size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1e6} MB`)
  return readFile(path, 'utf8')
}
