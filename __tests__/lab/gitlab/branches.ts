/**
 * Branches of a project, by API calls, and the pipelines of pushes to them. Source: GitLab's documentation of the commits, branches, pipelines and
 * jobs API.
 */
import { parse } from 'yaml'
import type { Answer, Asked, GitlabDouble } from './double.ts'

interface Commit {
  readonly branch: string
  readonly actions: readonly { readonly action: 'create' | 'update'; readonly file_path: string; readonly content: string }[]
}

type Pipeline = Readonly<Record<string, { readonly tags: readonly string[]; readonly script: readonly string[] }>>

const CALLS =
  /^(?:GET repository\/files\/|POST repository\/commits$|(?:GET|DELETE) repository\/branches|GET pipelines$|POST pipelines\/\d+\/cancel$|DELETE pipelines\/\d+$|GET jobs\/\d+\/trace$)/

export class Branches {
  /** Branch → its pipeline. */
  readonly #pipelines = new Map<string, number>()
  readonly names = new Set<string>()
  #next = 5000

  /** Branches that still have a pipeline. */
  get pipelines(): readonly string[] {
    return [...this.#pipelines.keys()]
  }

  knows(method: string, below: string): boolean {
    return CALLS.test(`${method} ${below}`)
  }

  answer(double: GitlabDouble, { method, query, body }: Asked, project: string, below: string): Answer {
    const [, what = '', id = ''] = below.split('/')
    const jobs = double.jobs.filter((job) => job.project === project)
    if (below.startsWith('repository/files/')) return { status: 404, data: { message: '404 File Not Found' } }
    if (below === 'repository/commits') return this.#commit(double, project, JSON.parse(body.toString('utf8')) as Commit)
    if (method === 'DELETE' && below.startsWith('repository/')) return { status: this.names.delete(id) ? 204 : 404 }
    if (below.startsWith('repository/'))
      return { status: 200, data: [...this.names].filter((name) => name.includes(query.get('search') ?? '')).map((name) => ({ name })) }
    if (below.startsWith('jobs/')) {
      const job = jobs.find((one) => String(one.id) === what)
      return job ? { status: 200, data: job.trace } : { status: 404 }
    }
    if (below === 'pipelines') {
      const number = this.#pipelines.get(query.get('ref') ?? '')
      const mine = jobs.filter(({ pipeline }) => pipeline === number)
      const open = mine.some(({ status }) => status === 'pending' || status === 'running')
      return { status: 200, data: number === undefined ? [] : [{ id: number, status: open ? 'running' : (mine[0]?.status ?? 'success') }] }
    }
    const mine = jobs.filter(({ pipeline }) => String(pipeline) === what)
    if (method === 'DELETE') {
      for (const [branch, number] of this.#pipelines) if (String(number) === what) this.#pipelines.delete(branch)
      return { status: 204 }
    }
    for (const job of mine) if (job.status === 'pending' || job.status === 'running') double.queue.end(job, 'canceled')
    return { status: 200, data: {} }
  }

  #commit(double: GitlabDouble, project: string, { branch, actions }: Commit): Answer {
    const file = actions.find(({ file_path: path }) => path === '.gitlab-ci.yml')
    if (this.names.has(branch) || file?.action === 'update') return { status: 400, data: { message: 'A branch or a file of this name' } }
    this.names.add(branch)
    const pipeline = this.#next++
    this.#pipelines.set(branch, pipeline)
    for (const [name, { tags, script }] of Object.entries(parse(file?.content ?? '{}') as Pipeline))
      double.push(tags, script.join('\n'), { name, pipeline, project })
    return { status: 201, data: { id: 'a'.repeat(40) } }
  }
}
