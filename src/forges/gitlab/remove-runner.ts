/** Removing a runner object, and what GitLab answers to that. */
import { AuthError, RemoteError } from '../../core/errors.ts'
import type { Eviction } from '../../core/forge.ts'
import type { Api } from './api.ts'
import { NEEDS_MANAGE } from './permissions.ts'

/**
 * Whether any of its machines has a job; a runner that is gone has none. `ifHidden`: the answer if the token may not see its jobs; without it, that is
 * an error.
 */
export async function busy(api: Api, id: string, hidden?: { readonly ifHidden: boolean }): Promise<boolean> {
  const purpose = { doing: `look at runner ${id}`, needs: NEEDS_MANAGE, accept: hidden ? [403, 404] : [404] }
  const one = { status: 'running', perPage: 1, page: 1 }
  const { data, status } = await api.call(purpose, async ({ runners }) => runners.allJobs(Number(id), one))
  if (status === 403 && hidden) return hidden.ifHidden
  return status !== 404 && (data as unknown[]).length > 0
}

/** If the runner changed meanwhile, it is looked at once more, because it may have taken a job. */
export async function evict(api: Api, id: string): Promise<Eviction> {
  const purpose = { doing: `remove runner ${id}`, needs: NEEDS_MANAGE, accept: [403, 404, 412] }
  for (let changed = 0; changed < 2; changed++) {
    if (await busy(api, id)) return 'busy'
    const { status } = await api.call(purpose, async ({ runners }) => runners.remove({ runnerId: Number(id) }))
    if (status === 404) return 'absent'
    if (status === 403) throw await refusal(api, id)
    if (status !== 412) return 'removed'
  }
  throw new RemoteError(`GitLab: runner ${id} changed while it was being removed`, { retryable: true, hint: 'run the same command again' })
}

/** Status 403 has two meanings. The projects of the runner tell which. */
async function refusal(api: Api, id: string): Promise<Error> {
  const purpose = { doing: `look at runner ${id}`, needs: NEEDS_MANAGE, accept: [403, 404] }
  const { data, status } = await api.call(purpose, async ({ runners }) => runners.show(Number(id)))
  const { projects = [] } = (status === 200 ? data : {}) as { projects?: readonly { path_with_namespace?: string }[] }
  const failed = `GitLab: could not remove runner ${id}`
  if (projects.length < 2)
    return new AuthError(`${failed}: the token is not allowed to; it needs ${NEEDS_MANAGE}, and the role to administer the runner`)
  const names = projects.map(({ path_with_namespace: path }) => path).join(', ')
  return new RemoteError(
    `${failed}: it was given to several projects (${names}); take it out of all but one, or let an administrator remove it`,
  )
}
