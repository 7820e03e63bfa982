/** Where at GitLab: its address, and the project or group. */
import { InputError } from '../../core/errors.ts'
import type { ForgeContext } from '../../core/forge.ts'
import { refuseUnknownForge } from '../../core/forge-address.ts'
import type { RunnerScope } from '../../wire/runner.ts'

export function scopeOf({ env, url, target, scope }: ForgeContext): RunnerScope {
  const address = target && URL.canParse(target.name) ? new URL(target.name) : undefined
  const server = (url ?? address?.origin ?? env['CI_SERVER_URL'] ?? 'https://gitlab.com').replace(/\/(?:api\/v4)?\/*$/, '')
  if (scope) {
    refuseUnknownForge(scope['server'] ?? '', server)
    return scope
  }
  const name = address ? address.pathname : (target?.name ?? env['CI_PROJECT_PATH'])
  if (!name)
    throw new InputError('repository: no project is given for the runners to serve', {
      hint: 'write it like --repository group/project, or name a group',
    })
  if (target?.kind === 'enterprise') throw new InputError('enterprise: GitLab has projects and groups')
  return { server, kind: target?.kind === 'organization' ? 'group' : 'project', name: name.replace(/^\/+|\/+$|\.git$/g, '') }
}
