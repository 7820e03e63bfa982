/** Where at GitHub: the address of its API, and the repository, organization or enterprise. */
import { InputError } from '../../core/errors.ts'
import type { ForgeContext, RunnerTarget } from '../../core/forge.ts'
import { refuseUnknownForge } from '../../core/forge-address.ts'
import { printable } from '../../lib/text.ts'
import type { RunnerScope } from '../../wire/runner.ts'

export interface Target {
  readonly api: string
  readonly kind: RunnerTarget['kind']
  readonly name: string
  /** `/repos/o/r`, `/orgs/o`, `/enterprises/e` */
  readonly path: string
}

export function targetOf(context: Pick<ForgeContext, 'env' | 'url' | 'target' | 'scope'>): Target {
  const { env, scope } = context
  if (scope) {
    const api = scope['api'] ?? ''
    refuseUnknownForge(api, apiOf(context, context.target))
    return targetAt(api, { kind: scope['kind'] ?? '', name: scope['name'] ?? '' })
  }
  const repository = env['GITHUB_REPOSITORY']
  const target = context.target ?? (repository ? { kind: 'repository' as const, name: repository } : undefined)
  if (!target)
    throw new InputError('repository: no repository is given for the runners to serve', {
      hint: 'write it like `repository: owner/name`, or name an organization',
    })
  return targetAt(apiOf(context, target), target)
}

/** The page of the repository, organization or enterprise, at which the runner program registers. */
export function pageOf({ api, kind, name }: Target): string {
  const { protocol, host, pathname } = new URL(api)
  const path = kind === 'enterprise' ? `enterprises/${encodeURIComponent(name)}` : name
  // An Enterprise Server has its API below /api/, whatever its host is called.
  return `${protocol}//${pathname.startsWith('/api/') ? host : host.replace(/^api\./, '')}/${path}`
}

export function scopeOf({ api, kind, name }: Target): RunnerScope {
  return { api, kind, name }
}

/** Whether a text is one part of a path, and leads nowhere else in an address. */
const isName = (text: string): boolean => /^(?!\.+$)[\w.-]+$/.test(text)

function isRepository(text: string): boolean {
  const names = text.split('/')
  return names.length === 2 && names.every(isName)
}

/** Whether runners of this place can have served that repository. Asked because the record of a job may be forged. */
export function serves({ kind, name }: Target, repository: string): boolean {
  if (!isRepository(repository)) return false
  const [own, there] = [name.toLowerCase(), repository.toLowerCase()]
  return kind === 'repository' ? there === own : kind === 'enterprise' || there.startsWith(`${own}/`)
}

/** `kind`: any text, because the record of a deployment may be forged. */
function targetAt(api: string, { kind, name: given }: { readonly kind: string; readonly name: string }): Target {
  const name = given
    .replace(/^https?:\/\/[^/]+\//, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  if (kind === 'repository') {
    if (!isRepository(name)) throw new InputError(`repository: "${printable(given)}" does not have the form "owner/name"`)
    return { api, kind, name, path: `/repos/${name}` }
  }
  if (/^\.*$/.test(name)) throw new InputError(`${printable(kind)}: "${printable(given)}" is not a valid name at GitHub`)
  if (kind === 'organization') return { api, kind, name, path: `/orgs/${encodeURIComponent(name)}` }
  if (kind === 'enterprise') return { api, kind, name, path: `/enterprises/${encodeURIComponent(name)}` }
  throw new InputError(`${printable(kind)}: GitHub has only repositories, organizations and enterprises`)
}

/** Address of the API: the first of the one that was given, that in the URL of the repository, that of the CI job, and github.com. */
function apiOf({ env, url }: Pick<ForgeContext, 'env' | 'url'>, target: RunnerTarget | undefined): string {
  if (url) return fromAddress(url)
  if (target && /^https?:\/\//.test(target.name)) return fromAddress(new URL(target.name).origin)
  if (env['GITHUB_API_URL']) return env['GITHUB_API_URL'].replace(/\/+$/, '')
  return fromAddress(env['GITHUB_SERVER_URL'] ?? 'https://github.com')
}

function fromAddress(url: string): string {
  if (!URL.canParse(url)) throw new InputError(`forge-url: "${url}" is not an address`)
  const { hostname, origin, pathname } = new URL(url)
  if (pathname.replace(/\/+$/, '').endsWith('/api/v3') || hostname.startsWith('api.')) return `${origin}${pathname}`.replace(/\/+$/, '')
  if (hostname === 'github.com' || hostname.endsWith('.ghe.com')) return `https://api.${hostname}`
  return `${origin}/api/v3`
}
