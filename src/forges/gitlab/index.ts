/** GitLab as a `Forge`: calls for one project or group. */
import { AuthError, InputError } from '../../core/errors.ts'
import type { Forge, ForgeAccount, ForgeContext } from '../../core/forge.ts'
import { printable } from '../../lib/text.ts'
import { isOlder } from '../../lib/version.ts'
import { Api } from './api.ts'
import { cutOff } from './cut-off-jobs.ts'
import { findDownload } from './download.ts'
import { createRunner, infoOf, named, noteOf, ownId, type Raw, runnersOf, showing } from './enroll.ts'
import { HOW_GIVEN, lacking, NEEDS, NEEDS_MANAGE } from './permissions.ts'
import { program, systemId } from './program.ts'
import { projectsOf, servedProjects, serves, type Target } from './projects.ts'
import { retriedBy } from './reasons.ts'
import { busy, evict } from './remove-runner.ts'
import { rerun, waiting } from './rerun.ts'
import { client, joined } from './sdk.ts'
import { scopeOf } from './target.ts'

/** The first version that says which machines a runner has (gitlab!153715), and that has the scope "manage_runner" (gitlab!153285). */
const TELLS_MACHINES = '17.1'

export async function open(context: ForgeContext): Promise<Forge> {
  const { token } = context
  if (!token)
    throw new AuthError('GitLab: no token was given', {
      hint: `give one with ${NEEDS} ${HOW_GIVEN}`,
    })
  const scope = scopeOf(context)
  const server = scope['server'] ?? ''
  const api = new Api(context, client(server, token))
  const kind = scope['kind'] === 'group' ? 'group' : 'project'
  const target: Target = { kind, name: scope['name'] ?? '' }
  const inContact = async (labels: readonly string[]): Promise<Raw[]> =>
    runnersOf(api, target, { tagList: joined(labels), status: 'online', paused: false })
  /** Projects that GitLab itself has named as served: a project that was moved may be outside the group by now. */
  const ownProjects = new Set<string>()
  const title = `${kind} ${scope['name']} at ${new URL(server).host}`
  return {
    scope,
    title,
    whoami: async () => accountOf(api, target, server, title),
    download: async (request) => findDownload(api, context, request),
    // One runner object serves all machines, and those that replace others.
    supply: () => 1,
    async enroll(request) {
      const { id, token: secret, until } = await createRunner(api, target, request, ownId(context, scope))
      context.mask(secret)
      warnOfExpiry(context, until, request.deadline)
      return {
        enrolled: request.places.map(({ slot, k, name }) => ({ slot, k, id, name })),
        credentials: request.places.map(({ slot, k }) => ({ slot, k, value: secret })),
        program: program(server, `${server}/api/v4`, request),
      }
    },
    runners: async (prefix) => named(api, target, prefix),
    one: async (id) => oneRunner(api, id),
    async equipped(labels) {
      const found = await inContact(labels)
      // Runners of the server or of a group are among them. They show their jobs only to their administrators, and count as busy for others.
      return Promise.all(found.map(async (raw) => ({ ...infoOf(raw), busy: await busy(api, String(raw.id), { ifHidden: true }) })))
    },
    notice: async (id, at) => setNote(api, id, at),
    look: async (enrolled) => onlineMachines(api, enrolled),
    evict: async (id) => evict(api, id),
    async cutOff(request) {
      const repositories = await servedProjects(api, target, request.enrolled, request.repositories)
      const found = await cutOff(api, { ...request, repositories })
      for (const { facts } of found) ownProjects.add(facts['repository'] ?? '')
      return found
    },
    async rerun(jobs, most) {
      const project = jobs[0]?.facts['repository'] ?? ''
      if (ownProjects.has(project) || serves(target, project)) return rerun(api, jobs, most)
      const says = `according to their record, pipeline ${jobs[0]?.facts['run']} belongs to "${printable(project)}", which runners of ${title} do not serve`
      return { how: 'refused', says, final: true }
    },
    async waiting(labels, repositories) {
      // Runners of this launch have left, even if GitLab still calls them online.
      const ours = new Set((await inContact(labels.slice(0, 1))).map(({ id }) => id))
      const served = async (tags: readonly string[]): Promise<boolean> => (await inContact(tags)).some(({ id }) => !ours.has(id))
      return waiting(api, labels, await projectsOf(api, target, repositories), served)
    },
  }
}

async function accountOf(api: Api, target: Target, server: string, title: string): Promise<ForgeAccount> {
  const { data } = await api.call({ doing: 'look at the token', needs: NEEDS }, async ({ tokens }) => tokens.show())
  const { scopes = [], name = 'token' } = data as { scopes?: readonly string[]; name?: string }
  // Without all of them, tpi would make something that it cannot find or remove again.
  const lacks = lacking(scopes)
  if (lacks.length > 0)
    throw new AuthError(`GitLab: the token "${name}" lacks ${lacks.map((one) => `"${one}"`).join(', ')}; it needs ${NEEDS}`)
  const version = await versionOf(api)
  if (version !== undefined && isOlder(version, TELLS_MACHINES))
    throw new InputError(`forge-url: ${new URL(server).host} is GitLab ${version}, and runners need ${TELLS_MACHINES} or later`)
  const seen = await api.call({ doing: `look at the ${target.kind}`, accept: [401, 403, 404] }, showing(target))
  return {
    name: `token "${name}"`,
    warnings: [],
    advice: retries(version),
    ...(seen.status === 200 && (seen.data as { visibility?: string }).visibility === 'public' ? { open: `${title} is public` } : {}),
  }
}

/**
 * Nothing renews this token: the runner program does that only as a service (commands/multi.go of gitlab-runner), and each machine would
 * get another.
 */
function warnOfExpiry({ log }: ForgeContext, until: string | undefined, deadline: string): void {
  if (until !== undefined && Date.parse(until) < Date.parse(deadline))
    log.warn(
      `GitLab: by the settings of the server or the group, the token of these runners expires at ${until}, and from then on they take no jobs: give a shorter "timeout"`,
    )
}

async function oneRunner(api: Api, id: string): ReturnType<Forge['one']> {
  const purpose = { doing: `look at runner ${id}`, needs: NEEDS_MANAGE, accept: [404] }
  const answer = await api.call(purpose, async ({ runners }) => runners.show(Number(id)))
  return answer.status === 404 ? undefined : { ...infoOf(answer.data as Raw), busy: await busy(api, id) }
}

async function setNote(api: Api, id: string, at: Date | undefined): Promise<void> {
  const body = { maintenance_note: at ? noteOf(at) : '' }
  const purpose = { doing: `set the maintenance note of runner ${id}`, needs: NEEDS_MANAGE, accept: [404] }
  await api.call(purpose, async ({ raw }) => raw.put(`runners/${id}`, { body }))
}

async function onlineMachines(api: Api, enrolled: Parameters<Forge['look']>[0]): ReturnType<Forge['look']> {
  const id = enrolled[0]?.id
  if (id === undefined) return []
  // 404: the object is gone, because its machines have served and left. One answer has all machines (lib/api/ci/runners.rb of GitLab).
  const purpose = { doing: 'look at the runner', needs: NEEDS_MANAGE, accept: [404] }
  const { status, data } = await api.call(purpose, async ({ raw }) => (await raw.get(`runners/${id}/managers`)).body)
  const managers = status === 404 ? [] : (data as { status: string; system_id: string }[])
  const there = new Set(managers.filter((one) => one.status === 'online').map((one) => one.system_id))
  return enrolled.filter(({ name }) => there.has(systemId(name))).map(({ name }) => ({ id, name, online: true, busy: false }))
}

/** `undefined`: it does not say. */
async function versionOf(api: Api): Promise<string | undefined> {
  const purpose = { doing: 'ask for the version', accept: [401, 403, 404] }
  const { status, data } = await api.call(purpose, async ({ metadata }) => metadata.show())
  return status === 200 ? /^\d+\.\d+/.exec((data as { version?: string }).version ?? '')?.[0] : undefined
}

/** Names only reasons that this version knows: any other would be an error of the whole pipeline file. */
function retries(version: string | undefined): string {
  return `GitLab re-runs interrupted jobs itself if the job says "retry: {max: 2, when: [${retriedBy(version).join(', ')}]}"`
}
