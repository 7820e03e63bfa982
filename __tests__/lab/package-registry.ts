/** A registry of npm that has one package: ours, as it would be published. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export class PackageRegistry {
  readonly #server: Server
  /** Paths that were asked for and are not ours. */
  readonly strangers: string[] = []

  private constructor(server: Server) {
    this.#server = server
  }

  /** `folder` keeps the archive. */
  static async start(folder: string): Promise<PackageRegistry> {
    const pack = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string; version: string }
    const file = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
      cwd: ROOT,
      encoding: 'utf8',
    }).trim()
    const archive = readFileSync(join(folder, file))
    const server = createServer()
    const registry = new PackageRegistry(server)
    server.on('request', (request, response) => {
      const path = decodeURIComponent(request.url ?? '')
      if (path === `/${pack.name}`) {
        const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
        const release = { ...pack, dist: { tarball: `${registry.url}/archive.tgz`, integrity } }
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ name: pack.name, 'dist-tags': { latest: pack.version }, versions: { [pack.version]: release } }))
      } else if (path === '/archive.tgz') {
        response.end(archive)
      } else {
        registry.strangers.push(path)
        response.writeHead(404).end('{}')
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return registry
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}
