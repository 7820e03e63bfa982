/** Where at GitLab: its address, and the project or group. */
import { InputError } from '../../core/errors.ts'
import type { ForgeContext } from '../../core/forge.ts'
import { refuseUnknownForge } from '../../core/forge-address.ts'
import type { RunnerScope } from '../../wire/runner.ts'

export function scopeOf({ env, url, target, scope }: ForgeContext): RunnerScope {
  const address = target && URL.canParse(target.name) ? new URL(target.name) : undefined
  const known = [url, env['CI_SERVER_URL']].flatMap((one) => (one ? [rootOf(one)] : []))
  // A server may be below a path. The address of a project alone does not tell where that path ends.
  const root = known.find((one) => target?.name.startsWith(`${one}/`))
  const server = rootOf(url ?? root ?? address?.origin ?? env['CI_SERVER_URL'] ?? 'https://gitlab.com')
  if (scope) {
    refuseUnknownForge(scope['server'] ?? '', server)
    return scope
  }
  const name = address ? address.pathname.slice(root === undefined ? 0 : pathOf(root).length) : (target?.name ?? env['CI_PROJECT_PATH'])
  if (!name)
    throw new InputError('repository: no project is given for the runners to serve', {
      hint: 'write it like `repository: group/project`, or name a group with `organization`',
    })
  if (target?.kind === 'enterprise') throw new InputError('enterprise: GitLab has only projects and groups')
  return { server, kind: target?.kind === 'organization' ? 'group' : 'project', name: name.replace(/^\/+|(?:\.git)?\/*$/g, '') }
}

const pathOf = (root: string): string => new URL(root).pathname.replace(/\/$/, '')

function rootOf(url: string): string {
  return url.replace(/\/(?:api\/v4)?\/*$/, '')
}
