/** `tpi comment FILE`: Markdown on the pull or merge request, changed in place by the next one of the same name. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { EXIT, InputError } from '../core/errors.ts'
import { messageOf } from '../lib/text.ts'
import type { VerbContext } from './shared/context.ts'
import { openDiscussion, say } from './shared/discussion.ts'

export async function comment(context: VerbContext): Promise<number> {
  const { values, host, cwd } = context
  if (values.file === undefined) throw new InputError('file: which one? A file with Markdown is needed')
  const path = resolve(cwd, values.file)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new InputError(`file: "${values.file}" cannot be read: ${messageOf(error)}`)
  })
  const place = await openDiscussion(context)
  if (!place)
    throw new InputError('pull-request: this is no job of a pull or merge request', {
      hint: 'name its number: --pull-request N (and --repository OWNER/NAME outside CI)',
    })
  const { url, how } = await say(context, place, values.name ?? 'report', text, { folder: dirname(path) })
  if (values.json) host.facts({ title: place.title, url, how })
  else host.print(`${place.title}: comment ${how}: ${url}`)
  return EXIT.ok
}
