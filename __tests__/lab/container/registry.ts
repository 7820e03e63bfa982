/** A registry of one image, with what engines request over plain HTTP. https://github.com/opencontainers/distribution-spec/blob/main/spec.md */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closed, listening } from '../../setup/listening.ts'
import { run } from '../shell.ts'

export interface Login {
  readonly user: string
  readonly password: string
}

export interface Registry {
  readonly port: number
  stop(): Promise<void>
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'
const CONFIG = 'application/vnd.docker.container.image.v1+json'
const LAYER = 'application/vnd.docker.image.rootfs.diff.tar'

/** `archive`: an image of one layer, in the format of `docker save`. `login`: required if given. */
export async function startRegistry(archive: string, login?: Login): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-registry-'))
  await run('tar', ['-C', folder, '-xf', archive])
  const [{ Config, Layers }] = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as [{ Config: string; Layers: [string] }]
  const [config, layer] = await Promise.all([Config, Layers[0]].map(async (name) => readFile(join(folder, name))))
  await rm(folder, { recursive: true })
  const part = (mediaType: string, bytes: Buffer = Buffer.alloc(0)) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) })
  const manifest = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: part(CONFIG, config), layers: [part(LAYER, layer)] }),
  )
  const blobs = new Map([config, layer, manifest].flatMap((bytes) => (bytes ? [[digestOf(bytes), bytes] as const] : [])))
  const right = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    if (right !== undefined && headers.authorization !== right) return refuse(response)
    if (url === '/v2/') return response.end('{}')
    const [, kind, name = ''] = /^\/v2\/.+\/(manifests|blobs)\/([^/?]+)$/.exec(url) ?? []
    const bytes = kind === 'manifests' && !name.startsWith('sha256:') ? manifest : blobs.get(name)
    if (!bytes) return response.writeHead(404).end()
    const type = kind === 'manifests' ? MANIFEST : 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, 'docker-content-digest': digestOf(bytes) })
    return response.end(request.method === 'HEAD' ? undefined : bytes)
  })
  return { port: await listening(server), stop: async () => closed(server) }
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

function refuse(response: ServerResponse): void {
  response.writeHead(401, { 'www-authenticate': 'Basic realm="lab"' }).end('{"errors":[{"code":"UNAUTHORIZED"}]}')
}
