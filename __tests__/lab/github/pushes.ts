/**
 * Pushes to a repository by API calls: a tree, a commit, a branch that points to it. A workflow for pushes runs as it is in the commit, even if the
 * default branch has none. Source: GitHub's documentation of the Git database API and of the event `push`.
 */
import { createHash } from 'node:crypto'
import { parse } from 'yaml'

export interface PushedJob {
  readonly name: string
  readonly labels: readonly string[]
  readonly script: string
}

export interface PushAnswer {
  readonly status: number
  readonly data?: unknown
}

interface Workflow {
  readonly on: string
  readonly jobs: Readonly<
    Record<string, { readonly 'runs-on': readonly string[]; readonly steps: readonly { readonly run?: string; readonly uses?: string }[] }>
  >
}

const URL_OF = 'https://github.example'

export class Pushes {
  /** SHA-1 of a tree → its files. */
  readonly #trees = new Map<string, readonly { readonly path: string; readonly content: string }[]>()
  /** Commit → tree. */
  readonly #commits = new Map<string, string>()
  /** Branch → commit. */
  readonly branches = new Map<string, string>()

  /** `run`: called with the jobs that a new branch has to run. */
  answer(method: string, rest: string, body: unknown, run: (branch: string, jobs: readonly PushedJob[]) => void): PushAnswer {
    if (method === 'POST' && rest === 'trees') return this.#tree((body as { tree: { path: string; content: string }[] }).tree)
    if (method === 'POST' && rest === 'commits') return this.#commit(body as { message: string; tree: string })
    if (method === 'POST' && rest === 'refs') return this.#branch(body as { ref: string; sha: string }, run)
    const ref = decodeURIComponent(rest.slice(rest.indexOf('/') + 1))
    if (method === 'DELETE') return this.branches.delete(ref.replace(/^heads\//, '')) ? { status: 204 } : { status: 422, data: REFUSED }
    const found = [...this.branches].filter(([name]) => `heads/${name}`.startsWith(ref))
    return { status: 200, data: found.map(([name, sha]) => shownRef(name, sha)) }
  }

  #tree(files: readonly { path: string; content: string }[]): PushAnswer {
    const sha = hashOf(files)
    this.#trees.set(sha, files)
    const tree = files.map(({ path, content }) => ({ path, mode: '100644', type: 'blob', sha: hashOf(content) }))
    return { status: 201, data: { sha, url: URL_OF, truncated: false, tree } }
  }

  #commit({ message, tree }: { message: string; tree: string }): PushAnswer {
    const sha = hashOf([message, tree, Math.random()])
    this.#commits.set(sha, tree)
    const by = { email: 'a@example.com', name: 'a', date: new Date().toISOString() }
    const verification = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null }
    const urls = { node_id: 'C', url: URL_OF, html_url: URL_OF }
    return {
      status: 201,
      data: { sha, ...urls, author: by, committer: by, message, tree: { sha: tree, url: URL_OF }, parents: [], verification },
    }
  }

  #branch({ ref, sha }: { ref: string; sha: string }, run: (branch: string, jobs: readonly PushedJob[]) => void): PushAnswer {
    const name = ref.replace(/^refs\/heads\//, '')
    const files = this.#trees.get(this.#commits.get(sha) ?? '')
    if (!files || this.branches.has(name)) return { status: 422, data: REFUSED }
    this.branches.set(name, sha)
    for (const { path, content } of files) if (path.startsWith('.github/workflows/')) run(name, jobsOf(parse(content) as Workflow))
    return { status: 201, data: shownRef(name, sha) }
  }
}

const REFUSED = { message: 'Reference does not exist, or does already', documentation_url: URL_OF, errors: [] }

function shownRef(name: string, sha: string): object {
  return { ref: `refs/heads/${name}`, node_id: 'R', url: URL_OF, object: { type: 'commit', sha, url: URL_OF } }
}

function jobsOf({ on, jobs }: Workflow): readonly PushedJob[] {
  if (on !== 'push') return []
  return Object.entries(jobs).map(([name, { 'runs-on': labels, steps }]) => {
    const [step] = steps
    return { name, labels, script: step?.uses === undefined ? (step?.run ?? 'true') : `uses: ${step.uses}` }
  })
}

function hashOf(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('hex')
}
