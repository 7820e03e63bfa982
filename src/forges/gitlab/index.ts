import { AuthError, InputError } from '../../core/errors.ts'
import type { Forge, ForgeContext, RunnerDownload, RunnerInfo, RunnerRequest } from '../../core/forge.ts'
import { printable } from '../../lib/text.ts'
import type { RunnerScope } from '../../wire/runner.ts'
import { reasonOf } from '../retry.ts'
import { Api } from './api.ts'
import { lacking, NEEDS, NEEDS_LOOK, NEEDS_MANAGE } from './permissions.ts'
import { program, READS_FILE, systemId } from './program.ts'
import { projectsOf, servedProjects, serves, type Target } from './projects.ts'
import { isOlder, retriedBy } from './reasons.ts'
import { busy, evict } from './remove-runner.ts'
import { cutOff, rerun, waiting } from './rerun.ts'
import { type Ask, client, joined, type RunnersQuery } from './sdk.ts'
import { scopeOf } from './target.ts'

const ARCH = { x64: 'amd64', arm64: 'arm64' } as const
/** One folder per version, and one called "latest". */
const DOWNLOADS = 'https://gitlab-runner-downloads.s3.amazonaws.com'
/** Before the time at which its machine was looked for in vain, in the note that a runner's administrators see. */
const NOTICED = 'tpi saw no machine of it at '

export async function open(context: ForgeContext): Promise<Forge> {
  const { token } = context
  if (!token)
    throw new AuthError('GitLab: no token was given', {
      hint: `give one with ${NEEDS} (--token, or the variable REPO_TOKEN); CI_JOB_TOKEN can never do it`,
    })
  const scope = scopeOf(context)
  const server = scope['server'] ?? ''
  const api = new Api(context, client(server, token))
  const kind = scope['kind'] === 'group' ? 'group' : 'project'
  const target: Target = { kind, name: scope['name'] ?? '' }
  const inContact = async (labels: readonly string[]): Promise<Raw[]> =>
    runnersOf(api, target, { tagList: joined(labels), status: 'online', paused: false })
  /** Projects that GitLab itself has told of: one of a group that was moved has another name. */
  const ownProjects = new Set<string>()
  const title = `${kind} ${scope['name']} at ${new URL(server).host}`
  return {
    scope,
    title,
    async whoami() {
      const { data } = await api.call({ doing: 'look at the token', needs: NEEDS }, async ({ tokens }) => tokens.show())
      const { scopes = [], name = 'token' } = data as { scopes?: readonly string[]; name?: string }
      // Without one of them something would be made that nobody finds or removes.
      const lacks = lacking(scopes)
      if (lacks.length > 0)
        throw new AuthError(`GitLab: the token "${name}" lacks ${lacks.map((one) => `"${one}"`).join(', ')}; it needs ${NEEDS}`)
      const seen = await api.call({ doing: `look at the ${kind}`, accept: [401, 403, 404] }, showing(target))
      return {
        name: `token "${name}"`,
        warnings: [],
        advice: await retries(api),
        ...(seen.status === 200 && (seen.data as { visibility?: string }).visibility === 'public' ? { open: `${title} is public` } : {}),
      }
    },
    async download({ platform, version }) {
      if (version !== undefined && isOlder(version, READS_FILE))
        throw new InputError(
          `runner-version: ${version} cannot read its settings from a file, only from where every job or process can see them`,
          {
            hint: `use ${READS_FILE} or later`,
          },
        )
      return findDownload(api, context, `gitlab-runner-${platform.os}-${ARCH[platform.arch]}`, version)
    },
    // One runner object serves all machines, and those that replace others.
    supply: () => 1,
    async enroll(request) {
      const { id, token: secret } = await create(api, target, request, ownId(context, scope))
      context.mask(secret)
      return {
        enrolled: request.places.map(({ slot, k, name }) => ({ slot, k, id, name })),
        credentials: request.places.map(({ slot, k }) => ({ slot, k, value: secret })),
        program: program(server, `${server}/api/v4`, request),
      }
    },
    runners: async (prefix) => named(api, target, prefix),
    async one(id) {
      const purpose = { doing: `look at runner ${id}`, needs: NEEDS_MANAGE, accept: [404] }
      const answer = await api.call(purpose, async ({ runners }) => runners.show(Number(id)))
      return answer.status === 404 ? undefined : { ...infoOf(answer.data as Raw), busy: await busy(api, id) }
    },
    async equipped(labels) {
      const found = await inContact(labels)
      return Promise.all(found.map(async (raw) => ({ ...infoOf(raw), busy: await busy(api, String(raw.id)) })))
    },
    async notice(id, at) {
      const body = { maintenance_note: at ? `${NOTICED}${at.toISOString()}` : '' }
      const purpose = { doing: `note something at runner ${id}`, needs: NEEDS_MANAGE, accept: [404] }
      await api.call(purpose, async ({ raw }) => raw.put(`runners/${id}`, { body }))
    },
    async look(enrolled) {
      const id = enrolled[0]?.id
      if (id === undefined) return []
      // Gone is the object once its machines have served and left. All of them are in one answer (lib/api/ci/runners.rb of GitLab).
      const purpose = { doing: 'look at the runner', needs: NEEDS_MANAGE, accept: [404] }
      const { status, data } = await api.call(purpose, async ({ raw }) => (await raw.get(`runners/${id}/managers`)).body)
      const managers = status === 404 ? [] : (data as { status: string; system_id: string }[])
      const there = new Set(managers.filter((one) => one.status === 'online').map((one) => one.system_id))
      return enrolled.filter(({ name }) => there.has(systemId(name))).map(({ name }) => ({ id, name, online: true, busy: false }))
    },
    evict: async (id) => evict(api, id),
    async cutOff(request) {
      const found = await cutOff(api, {
        ...request,
        repositories: await servedProjects(api, target, request.enrolled, request.repositories),
      })
      for (const { facts } of found) ownProjects.add(facts['repository'] ?? '')
      return found
    },
    async rerun(jobs, most) {
      const project = jobs[0]?.facts['repository'] ?? ''
      if (ownProjects.has(project) || serves(target, project)) return rerun(api, jobs, most)
      const says = `pipeline ${jobs[0]?.facts['run']} is of "${printable(project)}" by their record, which runners of ${title} do not serve`
      return { how: 'refused', says, final: true }
    },
    async waiting(labels, repositories) {
      // Ours have left, however long GitLab calls them online.
      const ours = new Set((await inContact(labels.slice(0, 1))).map(({ id }) => id))
      const served = async (tags: readonly string[]): Promise<boolean> => (await inContact(tags)).some(({ id }) => !ours.has(id))
      return waiting(api, labels, await projectsOf(api, target, repositories), served)
    },
  }
}

/** A reason that a server does not know is an error of the whole pipeline file. */
async function retries(api: Api): Promise<string> {
  const { status, data } = await api.call({ doing: 'ask for the version', accept: [401, 403, 404] }, async ({ metadata }) =>
    metadata.show(),
  )
  const version = status === 200 ? /^\d+\.\d+/.exec((data as { version?: string }).version ?? '')?.[0] : undefined
  return `GitLab runs interrupted jobs again by itself where the job says "retry: {max: 2, when: [${retriedBy(version).join(', ')}]}"`
}

interface Raw {
  readonly id: number
  readonly description: string
  readonly status: string
  readonly maintenance_note?: string | null
  readonly contacted_at?: string | null
}

/** A machine that was in contact after the note makes it void. */
function infoOf({ id, description, status, maintenance_note: note, contacted_at: contact }: Raw): RunnerInfo {
  const at = note?.startsWith(NOTICED) ? Date.parse(note.slice(NOTICED.length)) : Number.NaN
  const noticed = Number.isNaN(at) || (contact && Date.parse(contact) > at) ? {} : { noticed: at }
  return { id: String(id), name: description, online: status === 'online', busy: false, ...noticed }
}

async function runnersOf(api: Api, { kind, name }: Target, fit: RunnersQuery = {}): Promise<Raw[]> {
  const where = kind === 'group' ? { groupId: name } : { projectId: name }
  const purpose = { doing: 'list runners', needs: NEEDS_LOOK }
  return (await api.list(purpose, async ({ runners }, page) => runners.all({ ...fit, ...where, ...page }))) as Raw[]
}

function showing({ kind, name }: Target): Ask {
  return async ({ groups, projects }) => (kind === 'group' ? groups.show(name) : projects.show(name))
}

async function named(api: Api, target: Target, prefix: string): Promise<RunnerInfo[]> {
  const all = await runnersOf(api, target)
  return all.filter(({ description }) => description?.startsWith(prefix)).map(infoOf)
}

/** Number of the project of the job around us, which need not be looked up. */
function ownId({ env }: ForgeContext, scope: RunnerScope): number | undefined {
  const own = scope['kind'] === 'project' && scope['name'] === env['CI_PROJECT_PATH'] && scope['server'] === env['CI_SERVER_URL']
  return own && env['CI_PROJECT_ID'] ? Number(env['CI_PROJECT_ID']) : undefined
}

/** One runner object per launch. Its answer lost, it would be left: it is looked for by its name, and goes. */
async function create(api: Api, target: Target, request: RunnerRequest, own: number | undefined): Promise<{ id: string; token: string }> {
  const { kind } = target
  const find = { doing: `find the ${kind}`, needs: NEEDS_LOOK }
  const owner = own ?? ((await api.call(find, showing(target))).data as { id: number }).id
  const description = request.places[0]?.name ?? ''
  const whose = kind === 'group' ? { groupId: owner } : { projectId: owner }
  const purpose = {
    doing: 'create the runner',
    needs: NEEDS,
    accept: [400],
    async again() {
      for (const one of await named(api, target, description)) await evict(api, one.id)
    },
  }
  const { status, data } = await api.call(purpose, async ({ users }) =>
    users.createCIRunner(`${kind}_type`, { ...whose, description, tagList: joined(request.labels), runUntagged: false, locked: true }),
  )
  if (status === 400) throw new InputError(`labels: GitLab refuses this runner: ${reasonOf({ data })}`)
  const { id, token } = data as { id: number; token: string }
  return { id: String(id), token }
}

/** The vendor's own list of digests names the file; a mirror may stand in for the vendor. */
async function findDownload(api: Api, { env }: ForgeContext, name: string, version: string | undefined): Promise<RunnerDownload> {
  const mirror = (env['GITLAB_RUNNER_DOWNLOADS'] ?? DOWNLOADS).replace(/\/+$/, '')
  const base = `${mirror}/${version === undefined ? 'latest' : `v${version}`}`
  const { host } = new URL(base)
  const absent = version === undefined ? [] : [403, 404]
  const { status, text } = await api.file(`${base}/release.sha256`, {
    doing: `get the list of runner programs from ${host}`,
    accept: absent,
  })
  if (absent.includes(status))
    throw new InputError(`runner-version: ${host} has no version ${version}`, { hint: 'a version is written like 19.1.0' })
  const line = text.split('\n').find((one) => one.trim().endsWith(`binaries/${name}`))
  const digest = line === undefined ? undefined : /^[0-9a-f]{64}/.exec(line.trim())?.[0]
  if (digest === undefined) throw new InputError(`architecture: GitLab publishes no ${name}`)
  return { version: version ?? 'latest', url: `${base}/binaries/${name}`, headers: {}, digest, file: 'gitlab-runner' }
}
