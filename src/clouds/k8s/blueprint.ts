/** The group of a task: its resources, in order. */
import type { MachineSpec, Reference } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import type { StorePlace } from '../../wire/store.ts'
import type { Api } from './api.ts'
import { untilDeadline } from './deadline.ts'
import { gateConfig } from './gate.ts'
import { agentName, groupSelector, storeName, taskName } from './names.ts'
import type { Job } from './objects.ts'
import { type JobParams, jobResource } from './resources/job.ts'
import { objectResource } from './resources/object.ts'
import { agentResource, type Means, newToken, programsOf, rootOf } from './store.ts'
import { jobTags } from './tags.ts'
import { podTemplate } from './template.ts'

export interface TaskStore {
  /** The store is the deployment's own: its Job is the root. */
  readonly own: boolean
  /** The address that machines use. */
  readonly place: () => Promise<StorePlace | undefined>
}

/** Name of the Secret with the credentials for a store outside the cluster, and the key of its gates. */
const secretName = (of: Reference): string => taskName(of)

/** The Job at size 0, owned by the store if there is one; then the objects that its pods mount. */
export function taskBlueprint(means: Means, spec: MachineSpec, store: TaskStore): Resource[][] {
  const { api, settings, signal } = means
  const { id, incarnation, count, lifetime } = spec.tags
  const of = { id, incarnation }
  const name = taskName(of)
  const secret = store.own ? id : secretName(of)
  // With `ahead`, machines use the ConfigMap that was just made for the store: it exists before any pod.
  const shared = store.own && spec.ahead === true
  const program = agentName(shared ? storeName(id) : name, spec.agent)
  const job: JobParams = {
    of,
    role: 'task',
    name,
    ...jobTags(spec.tags),
    completions: count,
    parallelism: spec.ahead ? count : 0,
    deadline: untilDeadline(lifetime),
    ...(store.own ? { owner: () => rootOf(api, storeName(id)) } : { kept: lifetime.retention }),
    // If there is little room in a quota or on the nodes, the store must get it first.
    ...(shared && { ready: () => means.storePodIsMade(id) }),
    template: async () => podTemplate({ spec, settings, program, secret, store: await placeOf(store), gate: !store.own }),
    strict: settings.template !== undefined,
    signal,
  }
  const params = { of, role: 'task', signal, owner: () => rootOf(api, name) } as const
  const { credentials = {} } = spec.store
  const outside = objectResource(api, 'secrets', 'credentials', secret, {
    ...params,
    make: async () => ({ metadata: { name: secret }, stringData: { token: newToken(), 'credentials.json': JSON.stringify(credentials) } }),
  })
  const data = store.own ? {} : { 'gate.json': JSON.stringify(gateConfig(spec.store)) }
  const mounted = [...(shared ? [] : [agentResource(means, program, spec.agent, params, data)]), ...(store.own ? [] : [outside])]
  return [[jobResource(api, 'job', name, groupSelector(of), job)], mounted]
}

async function placeOf(store: TaskStore): Promise<{ url: string; settings?: Readonly<Record<string, string>> }> {
  const place = await store.place()
  if (!place) throw new RemoteError('k8s: the service of the store is gone')
  return { url: place.url, ...(place.settings && { settings: place.settings }) }
}

/** `known`: its Job, if the caller has just read it. */
export async function taskLeftovers(api: Api, of: Reference, known?: Job): Promise<Resource[][]> {
  const name = taskName(of)
  const job = known ?? (await api.get<Job>('jobs', name))
  const secret = secretName(of)
  // The Job says whether its pods mount such a Secret. If it is gone, the cluster is asked for the Secret.
  const mounts = job
    ? job.spec.template?.spec?.volumes?.some((one) => one.secret?.secretName === secret)
    : (await api.get('secrets', secret)) !== undefined
  const mounted = mounts ? [objectResource(api, 'secrets', 'credentials', secret)] : []
  const machines = job ? [jobResource(api, 'job', name, groupSelector(of)), ...programsOf(api, name, job)] : []
  return [[...mounted, ...machines]].filter((stage) => stage.length > 0)
}
