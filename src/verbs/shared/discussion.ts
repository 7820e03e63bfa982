/** tpi's comments on the pull or merge request that a command is about: one per name, kept current. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, join, normalize, sep } from 'node:path'
import type { Discussion } from '../../core/forge.ts'
import { plainText } from '../../lib/control-characters.ts'
import { isBelowGit } from '../../lib/git-name.ts'
import { withPictures } from '../../lib/markdown.ts'
import { cutAt, quoted } from '../../lib/text.ts'
import { chosenForge, forgeContext } from '../runner/forge.ts'
import type { VerbContext } from './context.ts'

/** Bytes of a picture, at most. */
const LARGEST = 10e6
/** Pictures of a comment. */
const MOST_PICTURES = 20

/** `undefined`: there is no pull or merge request here. */
export async function openDiscussion(context: VerbContext): Promise<Discussion | undefined> {
  const { values, env } = context
  const { repository } = values
  const descriptor = chosenForge(context)
  const given = descriptor.ci.token
  const token = values.token ?? values['github-token'] ?? (given && env[given])
  const base = forgeContext(context, token)
  const forge = await descriptor.discussions()
  return forge.discussion(
    {
      ...base,
      ...(repository === undefined ? {} : { target: { kind: 'repository' as const, name: repository } }),
    },
    values['pull-request'],
  )
}

/** Which files a text may name as pictures: anybody may have written the text. */
export interface Pictures {
  /** Only files below this folder, and not through links. */
  readonly folder: string
  /** Only these, relative to the folder. Absent: any, except those in a repository's own folder. */
  readonly of?: ReadonlySet<string>
}

export async function say(
  { host }: VerbContext,
  place: Discussion,
  name: string,
  text: string,
  from?: Pictures,
): Promise<{ readonly url: string; readonly how: 'made' | 'changed' }> {
  let pictures = 0
  const shown = await withPictures(text, async (file) => {
    const bytes = from === undefined || pictures >= MOST_PICTURES ? undefined : await pictureIn(from, file)
    if (bytes === undefined || !place.upload) {
      host.warn(`comment: picture ${quoted(file)} is not shown: ${bytes ? 'the API of the forge takes no pictures' : whyNot(pictures)}`)
      return undefined
    }
    pictures += 1
    return place.upload(basename(file), bytes)
  })
  const mark = `<!-- tpi: ${name} -->`
  const clean = host.clean(plainText(shown))
  const room = place.most - mark.length - 1
  const end = '\n\n*(cut here: too long for a comment)*'
  return place.put(mark, clean.length <= room ? clean : cutAt(clean, room - end.length) + end)
}

const whyNot = (pictures: number): string =>
  pictures >= MOST_PICTURES
    ? `a comment has at most ${MOST_PICTURES}`
    : `it is not a regular file among the results or next to the text, or larger than ${LARGEST / 1e6} MB`

/**
 * Reads no file through a link, which may lead to anything that this job can read, and no private file below the folder, such as those of
 * Git.
 */
async function pictureIn({ folder, of }: Pictures, file: string): Promise<Uint8Array | undefined> {
  try {
    const path = normalize(decodeURIComponent(file))
    if (isBelowGit(path) || (of && !of.has(path))) return undefined
    const root = await realpath(folder)
    const whole = join(root, path)
    if (!whole.startsWith(root + sep) || (await realpath(whole)) !== whole) return undefined
    const there = await stat(whole)
    return !there.isFile() || there.size > LARGEST ? undefined : await readFile(whole)
  } catch {
    return undefined
  }
}
