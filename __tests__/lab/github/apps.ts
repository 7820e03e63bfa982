/**
 * GitHub Apps: an App identifies itself with a signed token that is valid for ten minutes at most ("Generating a JSON Web Token (JWT) for a GitHub
 * App" of GitHub's documentation), and gets one for an installation that is valid for an hour (apps/create-installation-access-token of its
 * published description).
 */
import { createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { installation } from './shapes.ts'

interface App {
  readonly key: KeyObject
  /** Path of the owner → id of the installation. */
  readonly installed: Map<string, number>
  /** The permissions of its installations. */
  readonly permissions: Readonly<Record<string, string>>
}

interface Minted {
  readonly token: string
  readonly permissions: Readonly<Record<string, string>>
  readonly repositories: readonly string[] | undefined
  readonly until: number
}

export interface AppAnswer {
  readonly status: number
  readonly data?: unknown
}

const REFUSED: AppAnswer = { status: 401, data: { message: 'no' } }
/** In seconds. */
const LONGEST = 600

export class Apps {
  readonly #apps = new Map<string, App>()
  /** Installation tokens, in the order in which they were issued. */
  readonly minted: Minted[] = []
  /** How many milliseconds they are valid. */
  life = 3_600_000
  #revoked = 0

  /** Returns the private key of the new App. */
  create(id: string, owners: readonly string[], permissions: App['permissions']): string {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    this.#apps.set(id, { key: publicKey, installed: new Map(owners.map((owner, at) => [owner, 500 + at])), permissions })
    return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  }

  /** Revokes all tokens issued so far. */
  revoke(): void {
    this.#revoked = this.minted.length
  }

  /** What an installation token allows at this path; `undefined`: unknown or expired. */
  rights(token: string, path: string): readonly ('runners' | 'actions')[] | undefined {
    const at = this.minted.findIndex((one) => one.token === token)
    const found = this.minted[at]
    if (!found || at < this.#revoked || found.until <= Date.now()) return undefined
    const repository = /^\/repos\/[^/]+\/([^/]+)/.exec(path)?.[1]
    if (found.repositories && (repository === undefined || !found.repositories.includes(repository))) return []
    const { administration, actions, organization_self_hosted_runners: runners } = found.permissions
    const registers = path.startsWith('/orgs/') ? runners : administration
    return [...(registers === 'write' ? (['runners'] as const) : []), ...(actions === 'write' ? (['actions'] as const) : [])]
  }

  /** `undefined`: not a call that an App makes as itself. */
  answer(method: string, path: string, body: unknown, authorization: string, url: string): AppAnswer | undefined {
    const owner = /^(\/repos\/[^/]+\/[^/]+|\/orgs\/[^/]+)\/installation$/.exec(path)?.[1]
    const id = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(path)?.[1]
    if (owner === undefined && id === undefined) return undefined
    const app = this.#proven(authorization.replace(/^Bearer /, ''))
    if (!app) return REFUSED
    if (owner !== undefined && method === 'GET') {
      const found = app.installed.get(owner)
      return found === undefined
        ? { status: 404, data: { message: 'no' } }
        : { status: 200, data: installation(url, found, app.permissions) }
    }
    return this.#mint(app, Number(id), body ?? {})
  }

  #mint(app: App, id: number, request: { permissions?: Minted['permissions']; repositories?: readonly string[] }): AppAnswer {
    const message = { message: 'no' }
    if (![...app.installed.values()].includes(id)) return { status: 404, data: message }
    const { permissions = app.permissions, repositories } = request
    if (Object.entries(permissions).some(([name, level]) => app.permissions[name] !== level))
      return { status: 422, data: { ...message, documentation_url: 'http://127.0.0.1', errors: [] } }
    // As long as GitHub's have become.
    const token = `ghs_${id}_${'x'.repeat(500)}${this.minted.length}`
    const until = Date.now() + this.life
    this.minted.push({ token, permissions, repositories, until })
    return { status: 201, data: { token, expires_at: new Date(until).toISOString(), permissions } }
  }

  #proven(jwt: string): App | undefined {
    const [head = '', body = '', signature = ''] = jwt.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString() || '{}') as { iss?: string; iat?: number; exp?: number }
    const app = this.#apps.get(claims.iss ?? '')
    const now = Date.now() / 1000
    const { iat = Infinity, exp = 0 } = claims
    if (!app || iat > now || exp <= now || exp > now + LONGEST) return undefined
    return createVerify('RSA-SHA256').update(`${head}.${body}`).verify(app.key, signature, 'base64url') ? app : undefined
  }
}
