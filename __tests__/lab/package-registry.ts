/** An npm registry with what was published to it, as npm itself publishes: https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { closed, listening, portOf } from '../setup/listening.ts'
import { run } from './shell.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Release {
  readonly dist: { readonly tarball: string }
}
interface Document {
  readonly name: string
  readonly 'dist-tags': Readonly<Record<string, string>>
  readonly versions: Readonly<Record<string, Release>>
}
/** What npm sends when it publishes: libnpmpublish, lib/publish.js. */
interface Published extends Document {
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>
}

export class PackageRegistry {
  readonly #server: Server
  readonly #packages = new Map<string, Document>()
  /** Path → archive. */
  readonly #archives = new Map<string, Buffer>()
  readonly #refused: string[] = []

  private constructor(server: Server) {
    this.#server = server
  }

  static async empty(): Promise<PackageRegistry> {
    const server = createServer()
    const registry = new PackageRegistry(server)
    server.on('request', (request, response) => void registry.#answer(request, response))
    await listening(server)
    return registry
  }

  /** Starts with tpi's package, as it would be published. */
  static async start(): Promise<PackageRegistry> {
    const registry = await PackageRegistry.empty()
    await run('npm', ['publish', '--ignore-scripts', '--silent', '--access', 'public'], {
      cwd: ROOT,
      env: { ...process.env, ...registry.env },
    })
    return registry
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  /** Requested paths that are still missing. */
  get strangers(): readonly string[] {
    return this.#refused.filter((path) => !this.#packages.has(path.slice(1)))
  }

  /** Makes npm use the registry and publish to it; npm then requests nothing but packages. */
  get env(): Readonly<Record<string, string>> {
    return {
      NPM_CONFIG_REGISTRY: this.url,
      // A registry that the user has configured for this scope would take precedence, with the user's login.
      'NPM_CONFIG_@iterative:registry': this.url,
      NPM_CONFIG_USERCONFIG: '/dev/null',
      [`NPM_CONFIG_//${new URL(this.url).host}/:_authToken`]: 'anybody',
      NPM_CONFIG_AUDIT: 'false',
      NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(request.url ?? '')
    const known = this.#packages.get(path.slice(1))
    const archive = this.#archives.get(path)
    response.setHeader('content-type', 'application/json')
    if (request.method === 'PUT') {
      // https://docs.npmjs.com/cli/v11/commands/npm-publish: a name and version can be used once.
      const isNew = this.#publish((await json(request)) as Published)
      response
        .writeHead(isNew ? 201 : 403)
        .end(isNew ? '{"ok":true}' : '{"error":"You cannot publish over the previously published versions"}')
    } else if (known) {
      response.end(JSON.stringify(known))
    } else if (archive) {
      response.end(archive)
    } else {
      this.#refused.push(path)
      response.writeHead(404).end('{}')
    }
  }

  #publish({ _attachments, ...sent }: Published): boolean {
    const before = this.#packages.get(sent.name)
    if (Object.keys(sent.versions).some((version) => before?.versions[version])) return false
    for (const [name, { data }] of Object.entries(_attachments)) this.#archives.set(`/${sent.name}/-/${name}`, Buffer.from(data, 'base64'))
    this.#packages.set(sent.name, {
      ...sent,
      'dist-tags': { ...before?.['dist-tags'], ...sent['dist-tags'] },
      versions: { ...before?.versions, ...sent.versions },
    })
    return true
  }

  async stop(): Promise<void> {
    await closed(this.#server)
  }
}
