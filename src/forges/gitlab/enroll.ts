/** Runners as GitLab registers, lists and describes them. */
import { InputError } from '../../core/errors.ts'
import type { ForgeContext, RunnerInfo, RunnerRequest } from '../../core/forge.ts'
import { count, line, maybe, object, orNone } from '../../lib/shape.ts'
import type { RunnerScope } from '../../wire/runner.ts'
import { understood } from '../answer.ts'
import { reasonOf } from '../errors.ts'
import type { Api } from './api.ts'
import { NEEDS, NEEDS_LOOK } from './permissions.ts'
import type { Target } from './projects.ts'
import { evict } from './remove-runner.ts'
import { type Ask, joined, type RunnersQuery } from './sdk.ts'

/** Start of the note for administrators of a runner; after it comes the time at which it was found without a machine. */
const NOTICED = 'tpi saw no machine of it at '

/** https://docs.gitlab.com/api/users/#create-a-runner-linked-to-a-user: `token_expires_at` is null unless an administrator has set a limit. */
const CREATED = object<{ readonly id: number; readonly token: string; readonly token_expires_at?: string | null }>({
  id: count(),
  token: line(1024),
  token_expires_at: maybe(orNone(line(64))),
})

/** A runner, as GitLab lists it. */
export interface Raw {
  readonly id: number
  readonly description: string
  readonly status: string
  readonly maintenance_note?: string | null
  readonly contacted_at?: string | null
}

export const noteOf = (at: Date): string => `${NOTICED}${at.toISOString()}`

/** The note does not count if a machine was in contact after it was made. */
export function infoOf({ id, description, status, maintenance_note: note, contacted_at: contact }: Raw): RunnerInfo {
  const at = note?.startsWith(NOTICED) ? Date.parse(note.slice(NOTICED.length)) : Number.NaN
  const noticed = Number.isNaN(at) || (contact && Date.parse(contact) > at) ? {} : { noticed: at }
  return { id: String(id), name: description, online: status === 'online', busy: false, ...noticed }
}

export async function runnersOf(api: Api, { kind, name }: Target, fit: RunnersQuery = {}): Promise<Raw[]> {
  const where = kind === 'group' ? { groupId: name } : { projectId: name }
  const purpose = { doing: 'list runners', needs: NEEDS_LOOK }
  return (await api.list(purpose, async ({ runners }, page) => runners.all({ ...fit, ...where, ...page }))) as Raw[]
}

export function showing({ kind, name }: Target): Ask {
  return async ({ groups, projects }) => (kind === 'group' ? groups.show(name) : projects.show(name))
}

export async function named(api: Api, target: Target, prefix: string): Promise<RunnerInfo[]> {
  const all = await runnersOf(api, target)
  return all.filter(({ description }) => description?.startsWith(prefix)).map(infoOf)
}

/** Id of the project, if its CI job runs this command: then it does not have to be looked up. */
export function ownId({ env }: ForgeContext, scope: RunnerScope): number | undefined {
  const own = scope['kind'] === 'project' && scope['name'] === env['CI_PROJECT_PATH'] && scope['server'] === env['CI_SERVER_URL']
  return own && env['CI_PROJECT_ID'] ? Number(env['CI_PROJECT_ID']) : undefined
}

/** Makes one runner object for the whole launch. If the answer is lost, it is found by its name and removed before the next try. */
export async function createRunner(
  api: Api,
  target: Target,
  request: RunnerRequest,
  own: number | undefined,
): Promise<{ id: string; token: string; until?: string }> {
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
  const { id, token, token_expires_at: until } = understood(CREATED, data, 'GitLab', purpose)
  return { id: String(id), token, ...(until && { until }) }
}
