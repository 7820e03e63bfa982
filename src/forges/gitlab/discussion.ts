/** Notes on a merge request. Source: "Notes API" and "Markdown uploads API" of GitLab's documentation. */
import { AuthError } from '../../core/errors.ts'
import type { Discussion, ForgeContext } from '../../core/forge.ts'
import { count, line, list, object, type Shape, text } from '../../lib/shape.ts'
import { understood } from '../answer.ts'
import type { Purpose } from '../call.ts'
import { Api, type Page } from './api.ts'
import { COMMENTING, HOW_GIVEN } from './permissions.ts'
import { client, type Gitlab } from './sdk.ts'
import { scopeOf } from './target.ts'

/** Source: "the note body is limited to 1,000,000 characters" in the Notes API. */
const MOST = 1_000_000

/** Source: "Maximum number of comments on an issue, commit, or merge request: 5,000", in "GitLab application limits". */
const MOST_NOTES = 5000

interface Numbered {
  readonly id: number
}

interface Note extends Numbered {
  readonly body: string
  readonly author: Numbered
}

const numbered = object<Numbered>({ id: count() })
const note = object<Note>({ id: count(), body: text(2 * MOST), author: numbered })
const uploaded = object<{ readonly url: string }>({ url: line(4096) })
const read = <T>(shape: Shape<T>, data: unknown, purpose: Purpose): T => understood(shape, data, 'GitLab', purpose)

/** `undefined`: this job does not belong to a merge request. */
export async function discussion(context: ForgeContext, given?: number): Promise<Discussion | undefined> {
  const number = given ?? Number(context.env['CI_MERGE_REQUEST_IID'] || Number.NaN)
  if (Number.isNaN(number)) return undefined
  if (!context.token)
    throw new AuthError('GitLab: no token was given to comment with', {
      hint: `give one that may: ${COMMENTING} ${HOW_GIVEN}`,
    })
  const { server = '', name: project = '' } = scopeOf(context)
  // The pipeline of a fork's merge request runs in the fork.
  const target = given === undefined && !context.target ? context.env['CI_MERGE_REQUEST_PROJECT_PATH'] : undefined
  const name = target || project
  const api = new Api(context, client(server, context.token))
  const base = `projects/${encodeURIComponent(name)}`
  const notes = `${base}/merge_requests/${number}/notes`
  const needs = COMMENTING
  const find = async (mark: string): Promise<Note | undefined> => {
    const asking = { doing: 'see whose token it is', needs }
    const { id } = read(numbered, (await api.call(asking, async ({ users }) => users.showCurrentUser())).data, asking)
    const reading = { doing: `read the notes of merge request ${number}`, needs }
    const pages = async ({ raw }: Gitlab, { perPage, page }: Page): Promise<unknown> =>
      (await raw.get(notes, { searchParams: { per_page: perPage, page } })).body
    const all = read(list(note, MOST_NOTES), await api.list(reading, pages, MOST_NOTES), reading)
    return all.find(({ body, author }) => author.id === id && body.startsWith(mark))
  }
  return {
    title: `merge request ${number} of ${name}`,
    most: MOST,
    async put(mark, text) {
      const body = { body: `${mark}\n${withoutActions(text)}` }
      const purpose = { doing: `comment on merge request ${number}`, needs }
      const page = (id: number): string => `${server}/${name}/-/merge_requests/${number}#note_${id}`
      const there = await find(mark)
      if (there) {
        // 404: it was removed meanwhile.
        const answer = await api.call({ ...purpose, accept: [404] }, async ({ raw }) => raw.put(`${notes}/${there.id}`, { body }))
        if (answer.status < 300) return { url: page(there.id), how: 'changed' }
      }
      const made = await api.call(purpose, async ({ raw }) => (await raw.post(notes, { body })).body)
      return { url: page(read(numbered, made.data, purpose).id), how: 'made' }
    },
    async upload(file, bytes) {
      const body = new FormData()
      body.set('file', new Blob([Buffer.from(bytes)]), file)
      const purpose = { doing: `upload the picture "${file}"`, needs }
      const { data } = await api.call(purpose, async ({ raw }) => (await raw.post(`${base}/uploads`, { body })).body)
      return read(uploaded, data, purpose).url
    },
  }
}

/**
 * GitLab carries out a line such as "/merge", with the rights of the token, and a program may have written it. After a backslash it is just text. A
 * path, with another slash, is not carried out. Sources: "GitLab quick actions"; `commands_regex` in lib/gitlab/quick_actions/extractor.rb.
 */
function withoutActions(text: string): string {
  return text.replace(/^\/(?=[^\s/]+(?:\s|$))/gm, '\\/')
}
