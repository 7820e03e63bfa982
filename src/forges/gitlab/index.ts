import { AuthError, InputError, RemoteError } from '../../core/errors.ts'
import type { Eviction, Forge, ForgeContext, RunnerDownload, RunnerWish } from '../../core/forge.ts'
import type { RunnerScope } from '../../wire/runner.ts'
import { Api } from './api.ts'
import { program } from './program.ts'
import { NEEDS, NEEDS_MANAGE } from './rights.ts'

const ARCH = { x64: 'amd64', arm64: 'arm64' } as const
const DOWNLOADS = 'https://gitlab-runner-downloads.s3.amazonaws.com/latest'
/** One runner object serves many machines; each slot has its token this often, for those that replace others. */
const REPLACEMENTS = 10

export async function open(context: ForgeContext): Promise<Forge> {
  const { token } = context
  if (!token)
    throw new AuthError('GitLab: there is no token', {
      hint: `give one with ${NEEDS} (--token, or the variable REPO_TOKEN); CI_JOB_TOKEN can never do it`,
    })
  const scope = scopeOf(context)
  const server = scope['server'] ?? ''
  const base = `${server}/api/v4`
  const api = new Api(context, base, token)
  const kind = scope['kind'] === 'group' ? 'group' : 'project'
  const path = `/${kind}s/${encodeURIComponent(scope['name'] ?? '')}`
  const online = new Set<string>()
  return {
    scope,
    title: `${kind} ${scope['name']} at ${new URL(server).host}`,
    async whoami() {
      const { data } = await api.call({ doing: 'look at the token', method: 'GET', path: '/personal_access_tokens/self', needs: NEEDS })
      const { scopes = [], name = 'token' } = data as { scopes?: readonly string[]; name?: string }
      if (!scopes.some((one) => one === 'api' || one === 'create_runner'))
        throw new AuthError(`GitLab: the token "${name}" may not create runners; it needs ${NEEDS} (it has: ${scopes.join(', ')})`)
      const warnings = scopes.some((one) => one === 'api' || one === 'manage_runner')
        ? []
        : [`the token "${name}" cannot remove runners; for that it needs ${NEEDS_MANAGE}`]
      return { name: `token "${name}"`, warnings }
    },
    download: async ({ platform }) => findDownload(context, `gitlab-runner-${platform.os}-${ARCH[platform.arch]}`),
    supply: () => REPLACEMENTS,
    async enroll(wish) {
      const { id, token: secret } = await create(api, kind, path, wish)
      context.mask(secret)
      return {
        enrolled: wish.places.map(({ slot, k, name }) => ({ slot, k, id, name })),
        credentials: wish.places.map(({ slot, k }) => ({ slot, k, value: secret })),
        program: program(server, base),
      }
    },
    async runners(prefix) {
      const all = (await api.list({ doing: 'list runners', path: `${path}/runners`, needs: NEEDS_MANAGE })) as {
        id: number
        description: string
        status: string
      }[]
      return all
        .filter(({ description }) => description?.startsWith(prefix))
        .map(({ id, description, status }) => ({ id: String(id), name: description, online: status === 'online', busy: false }))
    },
    /** Machines say which runner they are, not which slot: as many of ours are there as there are machines in contact. */
    async look(enrolled) {
      const [first] = enrolled
      if (!first) return []
      const managers = (await api.list({ doing: 'look at the runner', path: `/runners/${first.id}/managers`, needs: NEEDS_MANAGE })) as {
        status: string
      }[]
      const fresh = enrolled
        .filter(({ name }) => !online.has(name))
        .slice(0, Math.max(0, managers.filter(({ status }) => status === 'online').length - online.size))
      for (const { name } of fresh) online.add(name)
      return fresh.map(({ id, name }) => ({ id, name, online: true, busy: false }))
    },
    evict: async (id) => evict(api, id),
    rerun: async () => ({
      how: 'refused',
      says: 'GitLab runs interrupted jobs again by itself where the job says "retry: {max: 2, when: [runner_system_failure, stuck_or_timeout_failure]}"',
    }),
    async waiting(label) {
      if (kind === 'group') return 0
      const jobs = (await api.list({ doing: 'list waiting jobs', path: `${path}/jobs?scope[]=pending` })) as {
        tag_list?: readonly string[]
      }[]
      return jobs.filter(({ tag_list: tags }) => tags?.includes(label)).length
    },
  }
}

function scopeOf({ env, url, target, scope }: ForgeContext): RunnerScope {
  if (scope) return scope
  const address = target && URL.canParse(target.name) ? new URL(target.name) : undefined
  const server = (url ?? address?.origin ?? env['CI_SERVER_URL'] ?? 'https://gitlab.com').replace(/\/(?:api\/v4)?\/*$/, '')
  const name = address ? address.pathname : (target?.name ?? env['CI_PROJECT_PATH'])
  if (!name)
    throw new InputError('repository: for which project are the runners?', {
      hint: 'write it like --repository group/project, or name a group',
    })
  if (target?.kind === 'enterprise') throw new InputError('enterprise: GitLab has projects and groups')
  return { server, kind: target?.kind === 'organization' ? 'group' : 'project', name: name.replace(/^\/+|\/+$|\.git$/g, '') }
}

/** One runner object per launch. Its answer lost, it would be left: it is looked for by its name, and goes. */
async function create(api: Api, kind: 'group' | 'project', path: string, wish: RunnerWish): Promise<{ id: string; token: string }> {
  const { data: owner } = await api.call({ doing: `find the ${kind}`, method: 'GET', path, needs: `access to the ${kind}` })
  const description = wish.places[0]?.name ?? ''
  const body = {
    runner_type: `${kind}_type`,
    [`${kind}_id`]: (owner as { id: number }).id,
    description,
    tag_list: wish.labels.join(','),
    run_untagged: false,
    locked: true,
  }
  const { status, data } = await api.call({
    doing: 'create the runner',
    method: 'POST',
    path: '/user/runners',
    body,
    needs: NEEDS,
    accept: [400],
  })
  if (status === 400)
    throw new InputError(
      `labels: GitLab refuses this runner: ${JSON.stringify((data as { message?: unknown }).message ?? '').slice(0, 200)}`,
    )
  const { id, token } = data as { id: number; token: string }
  return { id: String(id), token }
}

async function evict(api: Api, id: string): Promise<Eviction> {
  const { data, status } = await api.call({
    doing: `look at runner ${id}`,
    method: 'GET',
    path: `/runners/${id}/jobs?status=running&per_page=1`,
    needs: NEEDS_MANAGE,
    accept: [404],
  })
  if (status === 404) return 'absent'
  if ((data as unknown[]).length > 0) return 'busy'
  const gone = await api.call({
    doing: `remove runner ${id}`,
    method: 'DELETE',
    path: `/runners/${id}`,
    needs: NEEDS_MANAGE,
    accept: [404, 412],
  })
  if (gone.status === 412)
    throw new RemoteError(`GitLab: runner ${id} changed while it was removed`, { retryable: true, hint: 'run the same command again' })
  return gone.status === 404 ? 'absent' : 'removed'
}

/** The vendor's own list of digests names the file; a mirror may stand in for the vendor. */
async function findDownload({ env, signal }: ForgeContext, name: string): Promise<RunnerDownload> {
  const base = (env['GITLAB_RUNNER_DOWNLOADS'] ?? DOWNLOADS).replace(/\/+$/, '')
  const answer = await fetch(`${base}/release.sha256`, { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) }).catch(
    (cause: unknown) => {
      throw new RemoteError(`GitLab: no list of runner programs from ${new URL(base).host}`, { cause, retryable: true })
    },
  )
  if (!answer.ok)
    throw new RemoteError(`GitLab: no list of runner programs from ${new URL(base).host}: HTTP ${answer.status}`, { retryable: true })
  const line = (await answer.text()).split('\n').find((one) => one.trim().endsWith(`binaries/${name}`))
  const digest = line === undefined ? undefined : /^[0-9a-f]{64}/.exec(line.trim())?.[0]
  if (digest === undefined) throw new InputError(`architecture: GitLab publishes no ${name}`)
  return { version: 'latest', url: `${base}/binaries/${name}`, headers: {}, digest, file: 'gitlab-runner' }
}
