/**
 * The results service of GitHub Actions as its official clients use it: artifacts, version 4 and later, and caches, with the blob store behind both.
 * It refuses whatever the real service refuses.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { closed, listening } from '../setup/listening.ts'
import { BlobStore } from './blob-store.ts'
import { type CacheScope, CacheService, type StoredCache } from './cache-service.ts'

export interface StoredArtifact {
  readonly id: string
  readonly name: string
  readonly bytes: Buffer
  readonly expiresAt: string | undefined
}

export interface ResultsDouble {
  readonly url: string
  /** Environment of a step that may use it; its caches are those of its branch, and it also finds those of `main`. */
  env(run?: string, branch?: string, permission?: number): Record<string, string>
  /** Finished artifacts, by name. */
  readonly artifacts: Map<string, StoredArtifact>
  /** Finished caches, oldest first. */
  readonly caches: readonly StoredCache[]
  /** Method names, in the order of the calls. */
  readonly calls: string[]
  /** The status of the next calls of this method. */
  fail(method: string, status: number, times: number): void
  close(): Promise<void>
}

interface Open {
  readonly name: string
  readonly expiresAt: string | undefined
  readonly blob: string
}

const ARTIFACTS = '/twirp/github.actions.results.api.v1.ArtifactService/'
const CACHES = '/twirp/github.actions.results.api.v1.CacheService/'
/** A step reads and writes its own branch, and reads the default branch. */
const OWN = 3
const READ = 1

export async function resultsDouble(): Promise<ResultsDouble> {
  const artifacts = new Map<string, StoredArtifact>()
  const open = new Map<string, Open>()
  const calls: string[] = []
  const failures = new Map<string, { status: number; left: number }>()
  let url = ''
  const blobs = new BlobStore()
  const caches = new CacheService(blobs, (path) => `${url}${path}`)

  function injected(method: string): readonly [number, unknown] | undefined {
    calls.push(method)
    const failure = failures.get(method)
    return failure && failure.left-- > 0 ? [failure.status, { code: 'unavailable', msg: 'injected' }] : undefined
  }

  function artifactCall(method: string, body: Record<string, unknown>): [number, unknown] {
    const name = (body['name'] ?? '') as string
    if (method === 'CreateArtifact') {
      if (body['version'] !== 4 && body['version'] !== 7)
        return [400, { code: 'invalid_argument', msg: `version ${String(body['version'])}` }]
      if (artifacts.has(name))
        return [409, { code: 'already_exists', msg: 'an artifact with this name already exists on the workflow run' }]
      const blob = blobs.create()
      open.set(name, { name, expiresAt: body['expires_at'] as string | undefined, blob })
      return [200, { ok: true, signed_upload_url: `${url}${blobs.sign(blob, 'write')}` }]
    }
    if (method === 'FinalizeArtifact') {
      const found = open.get(name)
      const bytes = found && blobs.seal(found.blob)
      const hash = (body['hash'] as { value?: string } | string | undefined) ?? ''
      const reported = typeof hash === 'string' ? hash : (hash.value ?? '')
      if (!found || !bytes) return [404, { code: 'not_found', msg: 'nothing was uploaded' }]
      if (Number(body['size']) !== bytes.length) return [400, { code: 'invalid_argument', msg: 'size differs' }]
      if (reported !== '' && reported !== `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
        return [400, { code: 'invalid_argument', msg: 'hash differs' }]
      const id = String(artifacts.size + 101)
      artifacts.set(name, { id, name, bytes, expiresAt: found.expiresAt })
      open.delete(name)
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
    const bytes = await buffer(request)
    const where = new URL(request.url ?? '', url)
    const service = [ARTIFACTS, CACHES].find((one) => where.pathname.startsWith(one))
    if (service === undefined) return blobs.answer(request, where, bytes, response)
    const method = where.pathname.slice(service.length)
    const scopes = scopesOf(request.headers.authorization)
    const body = bytes.length === 0 ? {} : (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>)
    const allowed = scopes !== undefined && request.method === 'POST'
    const [status, data] = !allowed
      ? [401, {}]
      : (injected(method) ?? (service === CACHES ? caches.call(method, body, scopes) : artifactCall(method, body)))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  url = `http://127.0.0.1:${await listening(server)}`
  return {
    url,
    artifacts,
    calls,
    caches: caches.stored,
    env: (run = 'run-1', branch = 'main', permission = OWN) => ({
      ACTIONS_RESULTS_URL: `${url}/`,
      ACTIONS_RUNTIME_URL: `${url}/`,
      ACTIONS_CACHE_SERVICE_V2: 'true',
      ACTIONS_RUNTIME_TOKEN: token(run, [
        { Scope: `refs/heads/${branch}`, Permission: permission },
        { Scope: 'refs/heads/main', Permission: READ },
      ]),
    }),
    fail: (method, status, times) => void failures.set(method, { status, left: times }),
    close: () => closed(server),
  }
}

/** The client reads run and job from the token's scopes, the service those of caches; nobody here checks the signature. */
function token(run: string, caches: readonly CacheScope[]): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { scp: `Actions.Results:${run}:job-1`, ac: JSON.stringify(caches), exp: 4_102_444_800 }
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.none`
}

/** `undefined`: not a token of this service. */
function scopesOf(authorization = ''): readonly CacheScope[] | undefined {
  const claims = /^Bearer [^.]+\.([^.]+)\./.exec(authorization)?.[1]
  if (claims === undefined) return undefined
  const { ac } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { ac: string }
  return JSON.parse(ac) as CacheScope[]
}
