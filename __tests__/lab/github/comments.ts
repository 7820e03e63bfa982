/**
 * Comments on issues and pull requests. Source: "REST API endpoints for issue comments" of GitHub's documentation. Callers who may write to the
 * repository may edit the comments of others; authors may always edit their own.
 */
import { repositoryTemplate } from './shapes.ts'

export interface DoubleComment {
  readonly id: number
  readonly number: number
  body: string
  readonly user: { readonly login: string; readonly type: 'User' | 'Bot' }
  readonly standing: 'OWNER' | 'MEMBER' | 'NONE'
}

/** In characters; GitHub answers longer ones with 422, as recorded in https://github.com/suzuki-shunsuke/github-comment/issues/124 . */
const MOST = 65_536
const USER_URLS = /_url$|^(?:url|node_id|gravatar_id|site_admin|id)$/

export class Comments {
  readonly all: DoubleComment[] = []

  add(number: number, body: string, login: string, type: 'User' | 'Bot', standing: DoubleComment['standing']): DoubleComment {
    const one = { id: 1000 + this.all.length, number, body, user: { login, type }, standing }
    this.all.push(one)
    return one
  }

  answer(
    method: string,
    path: string,
    query: URLSearchParams,
    body: unknown,
    may: boolean,
    url: string,
  ): { status: number; data?: unknown } {
    const message = { message: 'words that change' }
    const [, number, id] = /\/issues\/(?:(\d+)\/comments|comments\/(\d+))$/.exec(path) ?? []
    const text = (body as { body?: string } | undefined)?.body ?? ''
    if (method !== 'GET' && !may) return { status: 403, data: message }
    if (method !== 'GET' && text.length > MOST) return { status: 422, data: { ...message, documentation_url: url, errors: [] } }
    if (number !== undefined && method === 'GET') {
      const size = Number(query.get('per_page') ?? 30)
      const from = (Number(query.get('page') ?? 1) - 1) * size
      const mine = this.all.filter((one) => one.number === Number(number))
      return { status: 200, data: mine.slice(from, from + size).map((one) => shown(one, url)) }
    }
    if (number !== undefined && method === 'POST')
      return { status: 201, data: shown(this.add(Number(number), text, 'github-actions[bot]', 'Bot', 'NONE'), url) }
    const one = this.all.find((each) => each.id === Number(id))
    if (!one || method !== 'PATCH') return { status: 404, data: message }
    one.body = text
    return { status: 200, data: shown(one, url) }
  }
}

function shown({ id, number, body, user, standing }: DoubleComment, url: string): unknown {
  const owner = (repositoryTemplate(url) as { owner: Readonly<Record<string, unknown>> }).owner
  const urls = Object.fromEntries(Object.entries(owner).filter(([name]) => USER_URLS.test(name)))
  const at = '2030-01-01T00:00:00Z'
  return {
    id,
    node_id: 'C',
    url: `${url}/comments/${id}`,
    html_url: `${url}/octo/hello/pull/${number}#issuecomment-${id}`,
    issue_url: `${url}/issues/${number}`,
    body,
    user: { ...urls, ...user },
    created_at: at,
    updated_at: at,
    author_association: standing,
  }
}
