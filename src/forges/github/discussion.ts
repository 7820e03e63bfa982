/** Comments on a pull request, as issue comments. Source: "REST API endpoints for issue comments" of GitHub's documentation. */
import { AuthError, InputError } from '../../core/errors.ts'
import type { Discussion, ForgeContext } from '../../core/forge.ts'
import { count, line, list, maybe, object, orNone, text } from '../../lib/shape.ts'
import { understood } from '../answer.ts'
import { Api, PAGE } from './api.ts'
import { tokenLogin } from './auth.ts'
import { COMMENTING } from './permissions.ts'
import { client } from './sdk.ts'
import { targetOf } from './target.ts'

/** Characters: GitHub answers "Body is too long (maximum is 65536 characters)" to more. */
const MOST = 65_536

/** GitHub answers "Commenting is disabled on issues with more than 2500 comments" to one more. */
const MOST_PAGES = 26

interface Comment {
  readonly id: number
  readonly body?: string | null
  readonly html_url: string
  readonly author_association?: string
  readonly user?: { readonly type: string } | null
}

const LINE = line(4096)
const comment = object<Comment>({
  id: count(),
  body: maybe(orNone(text(1 << 20))),
  html_url: LINE,
  author_association: maybe(LINE),
  user: maybe(orNone(object<{ readonly type: string }>({ type: LINE }))),
})
const comments = list(comment, PAGE)

/** `undefined`: this job does not belong to a pull request. Pictures are not possible: none of its calls takes a file. */
export async function discussion(context: ForgeContext, given?: number): Promise<Discussion | undefined> {
  const number = given ?? numberIn(context.env['GITHUB_REF'])
  if (number === undefined) return undefined
  const target = targetOf(context)
  if (target.kind !== 'repository') throw new InputError(`${target.kind}: a pull request belongs to a repository`)
  if (!context.token) throw new AuthError('GitHub: no token was given to comment with', { hint: `give one that may: ${COMMENTING}` })
  const api = new Api(context, client(target.api), tokenLogin(context.token))
  const needs = COMMENTING
  const find = async (mark: string): Promise<Comment | undefined> => {
    const reading = { doing: `read the comments of pull request ${number}`, needs }
    const path = `${target.path}/issues/${number}/comments`
    let pages = 0
    for await (const some of api.pages(reading, path, (data) => understood(comments, data, 'GitHub', reading))) {
      const mine = some.find((one) => one.body?.startsWith(mark) === true && mayBeOurs(one))
      if (mine) return mine
      pages += 1
      if (pages === MOST_PAGES) return undefined
    }
    return undefined
  }
  return {
    title: `pull request ${number} of ${target.name}`,
    most: MOST,
    async put(mark, text) {
      const body = { body: `${mark}\n${text}` }
      const doing = `comment on pull request ${number}`
      const there = await find(mark)
      if (there) {
        const path = `${target.path}/issues/comments/${there.id}`
        // Refused if it was removed meanwhile, or is not tpi's after all.
        const answer = await api.call({ method: 'PATCH', path, body, doing, needs, accept: [403, 404] })
        if (answer.status < 300) return { url: there.html_url, how: 'changed' }
      }
      const made = await api.call({ method: 'POST', path: `${target.path}/issues/${number}/comments`, body, doing, needs })
      return { url: understood(comment, made.data, 'GitHub', { doing }).html_url, how: 'made' }
    },
  }
}

/** Of a workflow for a pull request: `refs/pull/7/merge`. Source: "Default environment variables" of GitHub's documentation. */
function numberIn(ref: string | undefined): number | undefined {
  const number = /^refs\/pull\/(\d+)\//.exec(ref ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}

const TRUSTED: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

/** Anybody can write a comment that begins like tpi's, and change it again after tpi has written into it. */
function mayBeOurs({ user, author_association: standing }: Comment): boolean {
  return user?.type === 'Bot' || TRUSTED.has(standing ?? '')
}
