/** Comments of ours on the pull or merge request that a command is about: one by each name, kept current. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import type { Discussion } from '../../core/forge.ts'
import { quoted } from '../../lib/text.ts'
import { withPictures } from '../../report/pictures.ts'
import { chosenForge, hideIdentity } from '../runner/forge.ts'
import type { VerbContext } from './context.ts'

/** Bytes of a picture, and pictures of a comment. */
const LARGEST = 10e6
const MOST_PICTURES = 20

/** `undefined`: nothing is discussed here. */
export async function openDiscussion(context: VerbContext): Promise<Discussion | undefined> {
  const { values, host, engine, env, interrupts } = context
  hideIdentity(context)
  const token = values.token ?? values['github-token'] ?? env['GITHUB_TOKEN']
  if (token !== undefined) host.mask(token)
  const forge = await chosenForge(context).discussions()
  const { repository, 'forge-url': url } = values
  return forge.discussion(
    {
      env,
      log: host,
      clock: engine.clock,
      signal: interrupts.first,
      mask: (secret) => host.mask(secret),
      ...(token === undefined ? {} : { token }),
      ...(url === undefined ? {} : { url }),
      ...(repository === undefined ? {} : { target: { kind: 'repository' as const, name: repository } }),
    },
    values['pull-request'],
  )
}

/** `folder`: below it lie the pictures that the text may name. */
export async function say(
  { host }: VerbContext,
  place: Discussion,
  name: string,
  text: string,
  folder: string | undefined,
): Promise<{ readonly url: string; readonly how: 'made' | 'changed' }> {
  let pictures = 0
  const shown = await withPictures(text, async (file) => {
    const bytes = folder === undefined || pictures >= MOST_PICTURES ? undefined : await pictureIn(folder, file)
    if (bytes === undefined || !place.upload) {
      host.warn(`comment: picture ${quoted(file)} is not shown: ${bytes ? 'the forge takes no pictures from programs' : whyNot(pictures)}`)
      return undefined
    }
    pictures += 1
    return place.upload(basename(file), bytes)
  })
  const mark = `<!-- tpi: ${name} -->`
  const clean = host.clean(shown)
  const room = place.most - mark.length - 1
  const end = '\n\n*(cut here: too long for a comment)*'
  return place.put(mark, clean.length <= room ? clean : clean.slice(0, room - end.length) + end)
}

const whyNot = (pictures: number): string =>
  pictures >= MOST_PICTURES
    ? `a comment has at most ${MOST_PICTURES}`
    : `no such file below the folder, or it is larger than ${LARGEST / 1e6} MB`

/** Whoever wrote the text may be anybody: no link and no ".." leads out of the folder. */
async function pictureIn(folder: string, file: string): Promise<Uint8Array | undefined> {
  try {
    const path = await realpath(join(folder, decodeURIComponent(file)))
    if (!path.startsWith((await realpath(folder)) + sep)) return undefined
    const { size } = await stat(path)
    return size > LARGEST ? undefined : await readFile(path)
  } catch {
    return undefined
  }
}
