/** The calls of GitHub's API for a commit status, checked against GitHub's published description. */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { closed, listening } from '../setup/listening.ts'

export interface StatusCall {
  readonly path: string
  readonly token: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

export interface ApiDouble {
  readonly url: string
  readonly statuses: StatusCall[]
  /** Of a merge: its commit → those that were merged. */
  readonly parents: Map<string, readonly string[]>
  /** The status of all answers about commit statuses from now on; below 300: they are as usual. */
  answer: number
  close(): Promise<void>
}

const { schemas } = createRequire(import.meta.url)('@octokit/openapi') as { schemas: Record<string, { paths: Record<string, Operations> }> }

type Operations = Readonly<Record<string, { requestBody: { content: Record<string, { schema: object }> } }>>

/** The request's schema as GitHub publishes it; `nullable` is from OpenAPI 3.0, and ajv knows it. */
const isValid = new Ajv({ strict: false }).compile(
  schemas['api.github.com']?.paths['/repos/{owner}/{repo}/statuses/{sha}']?.['post']?.requestBody.content['application/json']?.schema ?? {
    not: {},
  },
)

type Latest = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** Source: "Get the combined status for a specific reference" of GitHub's documentation; of each status, what was posted. */
function combined(sha: string, latest: Latest): object {
  const statuses = [...latest.values()]
  const states = new Set(statuses.map(({ state }) => state))
  const isFailed = states.has('error') || states.has('failure')
  const state = isFailed ? 'failure' : states.size === 0 || states.has('pending') ? 'pending' : 'success'
  return { state, statuses, sha, total_count: statuses.length }
}

export async function apiDouble(): Promise<ApiDouble> {
  const statuses: StatusCall[] = []
  const parents = new Map<string, readonly string[]>()
  /** Commit → context → the latest status. */
  const set = new Map<string, Latest>()
  const double = { statuses, parents, answer: 201, url: '', close: async () => {} }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      // Source: "Get a commit object" of GitHub's documentation.
      const merged = parents.get(/^\/repos\/[^/]+\/[^/]+\/git\/commits\/([0-9a-f]+)$/.exec(request.url ?? '')?.[1] ?? '')
      if (merged) {
        response.writeHead(200).end(JSON.stringify({ parents: merged.map((sha) => ({ sha })) }))
        return
      }
      const asked =
        request.method === 'GET' ? /^\/repos\/[^/]+\/[^/]+\/commits\/([0-9a-f]+)\/status(?:\?|$)/.exec(request.url ?? '')?.[1] : undefined
      if (asked !== undefined) {
        const isRefused = double.answer >= 300
        const body = isRefused ? { message: 'Resource not accessible by integration' } : combined(asked, set.get(asked) ?? new Map())
        response.writeHead(isRefused ? double.answer : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        return
      }
      const known = request.method === 'POST' && /^\/repos\/[^/]+\/[^/]+\/statuses\/[0-9a-f]+$/.test(request.url ?? '')
      const body = known ? (JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>) : {}
      if (known) statuses.push({ path: request.url ?? '', token: request.headers.authorization, body })
      const status = known ? (isValid(body) ? double.answer : 422) : 404
      const sha = request.url?.split('/').at(-1) ?? ''
      if (status < 300) set.set(sha, new Map(set.get(sha)).set(String(body['context']), body))
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  double.url = `http://127.0.0.1:${await listening(server)}`
  double.close = () => closed(server)
  return double
}
