/**
 * What can be checked reliably and cheaply before anything is created: the cluster, the caller's rights, quotas and limits, and whether named
 * objects exist. Whether a node takes the pod, and whether its image can be pulled, only a real pod shows: `--probe` makes one.
 */
import { type Check, faultChecks, looked } from '../../core/check.ts'
import type { MachineRequest, MachineSpec } from '../../core/cloud.ts'
import { lifetimeOf } from '../../wire/lifetime.ts'
import type { Api } from './api.ts'
import { type Naming, named } from './checks/named.ts'
import { account, namespace, pullSecrets, storage, version } from './checks/namespace.ts'
import { rights } from './checks/permissions.ts'
import { room } from './checks/quota.ts'
import { faultsOf } from './faults.ts'
import { CONTAINER } from './names.ts'
import { type Sized, sizesOf } from './quantity.ts'
import type { Settings } from './settings.ts'
import { claimBytes, storePodTemplate } from './store-pod.ts'
import { podTemplate } from './template.ts'

/** Every check is independent: one that cannot be made says why. If the API server does not answer, nothing else is checked. */
export async function examine(api: Api, settings: Settings, request: MachineRequest, store: 'own' | 'given'): Promise<readonly Check[]> {
  const cluster = await looked('cluster', async () => version(api))
  // An answer is a check of the version; only an error is one of the cluster.
  if (cluster.what === 'cluster') return [cluster]
  const { task, server } = planned(settings, request, store)
  const own = store === 'own'
  const bill = {
    pods: own ? [server, task] : [task],
    ...(own && !settings.storageClaim ? { claimBytes: claimBytes(settings, request) } : {}),
  }
  const checks = await Promise.all([
    rights(api),
    namespace(api, settings),
    own ? storage(api, settings) : [],
    room(api, bill),
    pullSecrets(
      api,
      (task.imagePullSecrets ?? []).map(({ name }) => name),
    ),
    named(api, task),
    account(api, request.permissionSet),
  ])
  return [cluster, ...size(task), ...checks.flat(), ...faultChecks(faultsOf(request, settings, api.namespace, !own))]
}

/** Warns of a machine that requests nothing. A LimitRange may add defaults; `room` takes them into account. */
function size({ containers = [] }: Sized): readonly Check[] {
  const asked = sizesOf(containers.find(({ name }) => name === CONTAINER.program)?.resources ?? {})
  const without = ['cpu', 'memory'].filter((name) => asked[`requests.${name}`] === undefined)
  if (without.length === 0) return []
  const says = `no ${without.join(' and no ')} is requested: any node accepts such a machine, no node is added for it, and it is evicted first when a node runs short`
  return [{ what: 'size', state: 'warning', says, hint: `give ${without.map((name) => `--${name}`).join(' and ')}, or --machine` }]
}

/** The pods as they would be made, template and all. */
function planned(
  settings: Settings,
  request: MachineRequest,
  store: 'own' | 'given',
): { readonly task: Sized & Naming; readonly server: Sized } {
  const soon = new Date(Date.now() + 60_000).toISOString()
  const tags: MachineSpec['tags'] = {
    id: 'tpi-doctor-0000000000',
    name: 'doctor',
    incarnation: '0',
    mode: 'task',
    createdAt: soon,
    origin: {},
    count: 1,
    lifetime: lifetimeOf(soon, { timeout: 0, grace: 0, reserve: 0, retention: 0 }),
    store: { url: '' },
    user: {},
  }
  const spec: MachineSpec = { ...request, tags, agent: '', store: { url: '' } }
  const specOf = (template: object): unknown => (template as { spec: unknown }).spec
  return {
    task: specOf(podTemplate({ spec, settings, program: '', secret: '', store: { url: '' }, gate: store === 'given' })) as Sized & Naming,
    server: specOf(storePodTemplate(spec, settings)) as Sized,
  }
}
