/** The group of a task: what it is made of, in order. */
import type { MachineSpec } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { hardDeadline } from '../../wire/spec.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { Api } from './api.ts'
import { agentName, selectorOf, storeName, taskName } from './names.ts'
import type { Job } from './objects.ts'
import { podTemplate } from './pod.ts'
import { type JobWish, jobResource } from './resources/job.ts'
import { objectResource } from './resources/object.ts'
import { agentResource, type Means, programsOf, rootOf } from './store.ts'
import { jobTags } from './tags.ts'

export interface TaskStore {
  /** It is the deployment's own: its Job is the root. */
  readonly own: boolean
  /** As machines reach it, with credentials where it is outside. */
  readonly place: () => Promise<StoreAccess | undefined>
}

/** Machines' credentials for a store outside. */
const secretName = (id: string): string => `${id}-task`

/** The Job at size 0, owned by the store where there is one; then what its pods mount. */
export function taskBlueprint(means: Means, spec: MachineSpec, store: TaskStore): Resource[][] {
  const { api, settings, signal } = means
  const { id, incarnation, count, lifetime } = spec.tags
  const name = taskName(id)
  const secret = store.own ? id : secretName(id)
  // Ahead: that of the store, which was made a moment ago and is there before any pod.
  const shared = store.own && spec.ahead === true
  const program = agentName(id, shared ? 'store' : 'task', spec.agent)
  const until = hardDeadline(lifetime)
  const job: JobWish = {
    id,
    role: 'task',
    incarnation,
    name,
    ...jobTags(spec.tags),
    completions: count,
    parallelism: spec.ahead ? count : 0,
    deadline: () => Math.round((until - Date.now()) / 1000),
    ...(store.own ? { owner: () => rootOf(api, storeName(id)) } : { kept: lifetime.retention }),
    // Where room is short, in a quota or on the nodes, the store is to have it first.
    ...(shared && { ready: async () => (await api.list('pods', { labelSelector: selectorOf(id, 'store') })).length > 0 }),
    template: async () => podTemplate({ spec, settings, program, secret, store: await placeOf(store) }),
    signal,
  }
  const wish = { id, role: 'task', signal, owner: () => rootOf(api, name) } as const
  const { credentials = {} } = spec.store
  const stringData = { 'credentials.json': JSON.stringify(credentials) }
  const outside = objectResource(api, 'secrets', 'credentials', secret, {
    ...wish,
    make: async () => ({ metadata: { name: secret }, stringData }),
  })
  const mounted = [...(shared ? [] : [agentResource(means, spec, wish)]), ...(store.own ? [] : [outside])]
  return [[jobResource(api, 'job', name, 'task', id, job)], mounted]
}

async function placeOf(store: TaskStore): Promise<{ url: string; settings?: Readonly<Record<string, string>> }> {
  const place = await store.place()
  if (!place) throw new RemoteError('k8s: the service of the store is gone')
  return { url: place.url, ...(place.settings && { settings: place.settings }) }
}

export async function taskLeftovers(api: Api, id: string): Promise<Resource[][]> {
  const [jobs, secrets] = await Promise.all([
    api.list<Job>('jobs', { labelSelector: selectorOf(id, 'task') }),
    api.get('secrets', secretName(id)),
  ])
  const mounted = secrets ? [objectResource(api, 'secrets', 'credentials', secretName(id))] : []
  const machines = jobs.flatMap((job) => [jobResource(api, 'job', job.metadata.name, 'task', id), ...programsOf(api, id, 'task', job)])
  return [[...mounted, ...machines]].filter((stage) => stage.length > 0)
}
