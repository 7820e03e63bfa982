/**
 * The metadata service of Google Cloud: no answer without its header or through a proxy; folders end with a slash, and are listed recursively on
 * request; requests can wait for a change.
 * https://docs.cloud.google.com/compute/docs/metadata/querying-metadata
 * Tokens: https://docs.cloud.google.com/compute/docs/access/authenticate-workloads#applications
 */
import { createHash } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MetadataService, serve } from './metadata.ts'

/** The current texts, by path below `/computeMetadata/v1/`. */
export type Leaves = () => ReadonlyMap<string, string>

/** Folders that exist even if they are empty. */
const FOLDERS = new Set(['', 'instance/attributes/', 'project/attributes/'])
/** Milliseconds between two looks of a request that waits for a change. */
const LOOK = 50

interface Found {
  readonly text: string
  readonly type: string
  readonly etag: string
}

/** `socket`: a path to listen at instead of a port. */
export async function startGceMetadata(leaves: Leaves, socket?: string): Promise<MetadataService> {
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    if (!service.silent) void answer(request, response, leaves, asked)
  })
  const service = await serve(server, asked, socket)
  return service
}

async function answer(request: IncomingMessage, response: ServerResponse, leaves: Leaves, asked: string[]): Promise<void> {
  const say = (status: number, text = '', headers: Record<string, string> = {}): void =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=UTF-8', server: 'Metadata Server for VM', ...headers }).end(text)
  const url = new URL(request.url ?? '/', 'http://metadata.google.internal')
  if (request.headers['metadata-flavor'] !== 'Google' || request.headers['x-forwarded-for'] !== undefined)
    return say(403, 'Missing Metadata-Flavor:Google header.')
  const flavor = { 'metadata-flavor': 'Google' }
  if (!url.pathname.startsWith('/computeMetadata/v1/')) return say(404, '', flavor)
  const path = url.pathname.slice('/computeMetadata/v1/'.length)
  asked.push(path + url.search)
  const look = (): Found | undefined => find(leaves(), path, url.searchParams.get('recursive')?.toLowerCase() === 'true')
  if (isFolder(leaves(), path)) return say(301, '', { ...flavor, location: `${url.pathname}/${url.search}` })
  if (url.searchParams.get('wait_for_change')?.toLowerCase() === 'true') await change(look, url.searchParams, response)
  const found = look()
  return found ? say(200, found.text, { ...flavor, etag: found.etag, 'content-type': found.type }) : say(404, '', flavor)
}

/** With `last_etag` it waits while that names the present state, without it for the next change; `timeout_sec` ends the wait in any case. */
async function change(look: () => Found | undefined, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const known = query.get('last_etag') ?? look()?.etag
  const seconds = Number(query.get('timeout_sec') ?? Number.POSITIVE_INFINITY)
  const end = performance.now() + seconds * 1000
  while (!response.destroyed && performance.now() < end && look()?.etag === known) await sleep(LOOK)
}

const isFolder = (leaves: ReadonlyMap<string, string>, path: string): boolean =>
  path !== '' &&
  !path.endsWith('/') &&
  !leaves.has(path) &&
  (FOLDERS.has(`${path}/`) || [...leaves.keys()].some((key) => key.startsWith(`${path}/`)))

function find(leaves: ReadonlyMap<string, string>, path: string, recursive: boolean): Found | undefined {
  const leaf = leaves.get(path)
  if (leaf !== undefined) return found(leaf, path.endsWith('/token') ? 'application/json' : 'application/text')
  const below = [...leaves].flatMap(([key, text]) => (key.startsWith(path) ? [[key.slice(path.length), text] as const] : []))
  if (!FOLDERS.has(path) && (below.length === 0 || !path.endsWith('/'))) return undefined
  if (recursive) return found(JSON.stringify(nested(below, path.endsWith('attributes/'))), 'application/json')
  const names = new Set(below.map(([key]) => key.replace(/\/.*/, '/')))
  return found([...names].toSorted().join('\n'), 'application/text')
}

function found(text: string, type: string): Found {
  return { text, type, etag: createHash('sha256').update(text).digest('hex').slice(0, 16) }
}

/** The user's own names stay as they are; the vendor's names lose their hyphens. */
function nested(below: readonly (readonly [string, string])[], verbatim: boolean): object {
  const names = new Set(below.map(([key]) => key.split('/')[0] ?? ''))
  const camel = (name: string): string => (verbatim ? name : name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
  return Object.fromEntries(
    [...names].map((name) => {
      const leaf = below.find(([key]) => key === name)?.[1]
      const inner = below.flatMap(([key, text]) => (key.startsWith(`${name}/`) ? [[key.slice(name.length + 1), text] as const] : []))
      return [camel(name), leaf ?? nested(inner, name === 'attributes')]
    }),
  )
}
