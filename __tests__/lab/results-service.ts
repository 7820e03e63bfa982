/**
 * The results service of GitHub Actions as its official client speaks to it (artifacts, version 4 and later), with the blob store behind it:
 * blocks, block lists, whole blobs, signed addresses that expire with their artifact. Anything the real one would refuse is refused.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StoredArtifact {
  readonly id: string
  readonly name: string
  readonly bytes: Buffer
  readonly expiresAt: string | undefined
}

export interface ResultsDouble {
  readonly url: string
  /** Environment of a step that may use it. */
  env(run?: string): Record<string, string>
  /** Finished ones, by name. */
  readonly artifacts: Map<string, StoredArtifact>
  /** Method names in the order they came. */
  readonly calls: string[]
  /** The next calls of this method are answered so. */
  fail(method: string, status: number, times: number): void
  close(): Promise<void>
}

interface Open {
  readonly name: string
  readonly run: string
  readonly expiresAt: string | undefined
  readonly key: string
  readonly blocks: Map<string, Buffer>
  blob: Buffer | undefined
}

const SERVICE = '/twirp/github.actions.results.api.v1.ArtifactService/'

export async function resultsDouble(): Promise<ResultsDouble> {
  const artifacts = new Map<string, StoredArtifact>()
  const open = new Map<string, Open>()
  const calls: string[] = []
  const failures = new Map<string, { status: number; left: number }>()
  let url = ''

  function call(method: string, body: Record<string, unknown>): [number, unknown] {
    calls.push(method)
    const failure = failures.get(method)
    if (failure && failure.left-- > 0) return [failure.status, { code: 'unavailable', msg: 'injected' }]
    const name = (body['name'] ?? '') as string
    if (method === 'CreateArtifact') {
      if (body['version'] !== 4 && body['version'] !== 7)
        return [400, { code: 'invalid_argument', msg: `version ${String(body['version'])}` }]
      if (artifacts.has(name))
        return [409, { code: 'already_exists', msg: 'an artifact with this name already exists on the workflow run' }]
      const key = randomUUID()
      const expiresAt = body['expires_at'] as string | undefined
      open.set(key, { name, run: String(body['workflow_run_backend_id']), expiresAt, key, blocks: new Map(), blob: undefined })
      return [200, { ok: true, signed_upload_url: `${url}/blob/${key}?sig=${key}&se=later` }]
    }
    if (method === 'FinalizeArtifact') {
      const found = [...open.values()].find((one) => one.name === name)
      const hash = (body['hash'] as { value?: string } | string | undefined) ?? ''
      const told = typeof hash === 'string' ? hash : (hash.value ?? '')
      if (!found?.blob) return [404, { code: 'not_found', msg: 'nothing was uploaded' }]
      if (Number(body['size']) !== found.blob.length) return [400, { code: 'invalid_argument', msg: 'size differs' }]
      if (told !== '' && told !== `sha256:${createHash('sha256').update(found.blob).digest('hex')}`)
        return [400, { code: 'invalid_argument', msg: 'hash differs' }]
      const id = String(artifacts.size + 101)
      artifacts.set(name, { id, name, bytes: found.blob, expiresAt: found.expiresAt })
      open.delete(found.key)
      return [200, { ok: true, artifact_id: id }]
    }
    if (method === 'ListArtifacts') {
      const filter = body['name_filter'] as { value?: string } | string | undefined
      const wanted = typeof filter === 'string' ? filter : filter?.value
      const list = [...artifacts.values()].filter((one) => wanted === undefined || one.name === wanted)
      const ids = {
        workflow_run_backend_id: body['workflow_run_backend_id'],
        workflow_job_run_backend_id: body['workflow_job_run_backend_id'],
      }
      return [
        200,
        {
          artifacts: list.map((one) => ({
            ...ids,
            database_id: one.id,
            name: one.name,
            size: String(one.bytes.length),
            created_at: new Date().toISOString(),
          })),
        },
      ]
    }
    if (method === 'DeleteArtifact') {
      const found = artifacts.get(name)
      artifacts.delete(name)
      return found ? [200, { ok: true, artifact_id: found.id }] : [404, { code: 'not_found', msg: name }]
    }
    return [404, { code: 'bad_route', msg: method }]
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readAll(request)
    const where = new URL(request.url ?? '', url)
    if (where.pathname.startsWith(SERVICE)) {
      const allowed = request.headers.authorization?.startsWith('Bearer ') && request.method === 'POST'
      const [status, body] = allowed
        ? call(where.pathname.slice(SERVICE.length), JSON.parse(bytes.toString('utf8')) as Record<string, unknown>)
        : [401, {}]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    const blob = open.get(where.pathname.replace('/blob/', ''))
    if (!blob || where.searchParams.get('sig') !== blob.key) {
      response.writeHead(403).end()
      return
    }
    response
      .writeHead(put(blob, where.searchParams, bytes), {
        etag: `"${randomUUID()}"`,
        'x-ms-request-id': randomUUID(),
        'last-modified': new Date().toUTCString(),
      })
      .end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    artifacts,
    calls,
    env: (run = 'run-1') => ({ ACTIONS_RESULTS_URL: `${url}/`, ACTIONS_RUNTIME_URL: `${url}/`, ACTIONS_RUNTIME_TOKEN: token(run) }),
    fail: (method, status, times) => void failures.set(method, { status, left: times }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Put Block, Put Block List and Put Blob of the blob service. */
function put(blob: Open, query: URLSearchParams, bytes: Buffer): number {
  const what = query.get('comp')
  if (what === 'block') {
    blob.blocks.set(query.get('blockid') ?? '', bytes)
    return 201
  }
  if (what !== 'blocklist') {
    blob.blob = bytes
    return 201
  }
  const ids = [...bytes.toString('utf8').matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]+)</g)].map((match) => match[1] ?? '')
  if (ids.some((id) => !blob.blocks.has(id))) return 400
  blob.blob = Buffer.concat(ids.map((id) => blob.blocks.get(id) as Buffer))
  return 201
}

/** The client reads run and job from the scopes of its token; nobody here checks the signature. */
function token(run: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ scp: `Actions.Results:${run}:job-1`, exp: 4_102_444_800 })}.none`
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
