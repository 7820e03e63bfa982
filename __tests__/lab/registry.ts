/**
 * A real registry of images on loopback, which knows no logins; before it stands what registries have for that: `private/…` wants a login at once
 * (HTTP Basic, as Amazon's does), `hidden/…` a token of its own service (as Docker's and GitHub's do).
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { goTool } from './go-tool.ts'
import { until } from './shell.ts'
import { freePort } from './versitygw.ts'

const REGISTRY = { name: 'registry', package: 'github.com/google/go-containerregistry/cmd/registry', version: 'v0.20.6' } as const
const SERVICE = 'lab registry'

export interface Registry {
  /** `localhost:PORT`, as names of images begin. */
  readonly host: string
  readonly login: { readonly username: string; readonly password: string }
  /** `platforms`: one makes an image, more make an index of images. */
  push(path: string, tag: string, platforms: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** `undefined` when the server could not be built (said in one line). */
export async function startRegistry(): Promise<Registry | undefined> {
  const binary = await goTool(REGISTRY)
  if (binary === undefined) return undefined
  const port = await freePort()
  const child = spawn(binary, ['-port', String(port)], { stdio: 'ignore' })
  const behind = `http://127.0.0.1:${port}`
  await until('the registry', 20, async () => ((await fetch(`${behind}/v2/`).catch(() => undefined))?.ok ? true : undefined))
  const login = { username: 'lab', password: 'pass:word' }
  const door = http.createServer(doorman(port, `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`))
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return {
    host: `localhost:${(door.address() as AddressInfo).port}`,
    login,
    push: async (path, tag, platforms) => push(`${behind}/v2/${path}`, tag, platforms),
    async stop() {
      door.closeAllConnections()
      door.close()
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

function doorman(target: number, basic: string): (request: IncomingMessage, response: ServerResponse) => void {
  const tokens = new Map<string, string>()
  return (request, response) => {
    const { authorization = '', host = '' } = request.headers
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`)
    const refuse = (challenge: string): void => void response.writeHead(401, { 'www-authenticate': challenge }).end()
    if (pathname === '/token') {
      if (authorization !== basic || searchParams.get('service') !== SERVICE) return refuse('Basic realm="lab"')
      const token = randomBytes(8).toString('hex')
      tokens.set(`Bearer ${token}`, searchParams.get('scope') ?? '')
      return void response.end(JSON.stringify({ token }))
    }
    if (pathname.startsWith('/v2/private/') && authorization !== basic) return refuse('Basic realm="lab"')
    const [, path] = /^\/v2\/(hidden\/.+)\/(?:manifests|blobs)\//.exec(pathname) ?? []
    const scope = `repository:${path}:pull`
    if (path !== undefined && tokens.get(authorization) !== scope)
      return refuse(`Bearer realm="http://${host}/token",service="${SERVICE}",scope="${scope}"`)
    const { method, url: way, headers } = request
    const passed = http.request({ host: '127.0.0.1', port: target, method, path: way, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    return void request.pipe(passed)
  }
}

const MEDIA = 'application/vnd.oci.image'

async function push(base: string, tag: string, platforms: readonly string[]): Promise<void> {
  const images = await Promise.all(platforms.map(async (platform) => pushImage(base, platform, platforms.length === 1 ? tag : undefined)))
  if (images.length === 1) return
  const attestation = { ...images[0]!, platform: { os: 'unknown', architecture: 'unknown' } }
  const mediaType = `${MEDIA}.index.v1+json`
  const index = { schemaVersion: 2, mediaType, manifests: [...images, attestation] }
  await put(`${base}/manifests/${tag}`, JSON.stringify(index), mediaType)
}

async function pushImage(base: string, platform: string, tag: string | undefined): Promise<object> {
  const [os, architecture] = platform.split('/')
  const config = JSON.stringify({ os, architecture, rootfs: { type: 'layers', diff_ids: [] } })
  const mediaType = `${MEDIA}.manifest.v1+json`
  const named = { mediaType: `${MEDIA}.config.v1+json`, digest: digest(config), size: config.length }
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: named, layers: [] })
  await put(`${base}/blobs/uploads/?digest=${digest(config)}`, config, 'application/octet-stream', 'POST')
  await put(`${base}/manifests/${tag ?? digest(manifest)}`, manifest, mediaType)
  return { mediaType, digest: digest(manifest), size: manifest.length, platform: { os, architecture } }
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

async function put(url: string, body: string, type: string, method = 'PUT'): Promise<void> {
  const answer = await fetch(url, { method, body, headers: { 'content-type': type } })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
}
