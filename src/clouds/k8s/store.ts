/** The store of a deployment in the cluster: its resources, in order. */
import { randomBytes } from 'node:crypto'
import type { AgentBundle, MachineSpec } from '../../core/cloud.ts'
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import type { Api } from './api.ts'
import { untilForgotten } from './deadline.ts'
import { agentName, MAX_AGENT_BYTES, selectorOf, storeName } from './names.ts'
import type { Job } from './objects.ts'
import { type JobParams, jobResource, seenJob } from './resources/job.ts'
import { lentObject, type ObjectParams, type OwnerReference, objectResource } from './resources/object.ts'
import { started, startResource } from './resources/store-server.ts'
import type { Settings } from './settings.ts'
import { claimBytes, serveConfig, service, storePodTemplate, volumeClaim } from './store-pod.ts'
import { jobTags } from './tags.ts'

/** What the blueprints of Kubernetes need. */
export interface Means {
  readonly api: Api
  readonly settings: Settings
  /** Whether the store's pod exists. Makes no call. */
  storePodIsMade(id: string): boolean
  readonly agent: () => Promise<AgentBundle>
  readonly signal: AbortSignal
}

/** The root comes first: once it exists, the cluster itself ends everything in time. */
export function storeBlueprint(means: Means, spec: Omit<MachineSpec, 'store'>): Resource[][] {
  const { api, settings, signal } = means
  const { id, incarnation } = spec.tags
  const name = storeName(id)
  const of = { id, incarnation }
  const root: JobParams = {
    of,
    role: 'store',
    name,
    shared: true,
    ...jobTags(spec.tags),
    completions: 1,
    // Its pod starts only when everything that it needs exists, so it never waits for a volume.
    parallelism: 0,
    deadline: untilForgotten(spec.tags.lifetime),
    template: async () => storePodTemplate(spec, settings),
    signal,
  }
  const params = { of, role: 'store', signal, owner: () => rootOf(api, name) } as const
  return [
    [jobResource(api, 'store', name, selectorOf(id, 'store'), root)],
    [
      objectResource(api, 'secrets', 'store token', id, { ...params, make: async () => tokenSecret(id) }),
      settings.storageClaim
        ? givenClaim(api, settings.storageClaim.name)
        : objectResource(api, 'persistentvolumeclaims', 'claim', id, {
            ...params,
            make: async () => volumeClaim(spec.tags, settings, claimBytes(settings, spec)),
          }),
      objectResource(api, 'services', 'service', id, { ...params, make: async () => service(id) }),
      agentResource(means, agentName(name, spec.agent), spec.agent, params, {
        'serve.json': JSON.stringify(serveConfig(spec.tags, settings)),
      }),
    ],
    [startResource(api, name, signal)],
  ]
}

/** The user's own claim: it is looked for, but never made or removed. */
function givenClaim(api: Api, name: string): Resource {
  return {
    kind: 'claim',
    name,
    async ensure() {
      if (await api.get('persistentvolumeclaims', name)) return 'found'
      throw new InputError([{ option: 'storage-claim', message: `there is no claim "${name}" in namespace "${api.namespace}"` }])
    },
    remove: async () => 'absent',
  }
}

/**
 * The last stage is removed first, and that is the root: even if this process then dies, the cluster removes the rest. The rest is removed all
 * at once, so that the removal of the claim need not wait for the end of the pod.
 */
export function storeLeftovers(api: Api, id: string, root: Job | undefined): Resource[][] {
  const name = storeName(id)
  const resources = [
    started(api, name, selectorOf(id, 'store'), root),
    lentObject(api, 'secrets', 'store token', id),
    lentObject(api, 'persistentvolumeclaims', 'claim', id),
    lentObject(api, 'services', 'service', id),
    ...(root ? programsOf(api, name, root) : []),
  ]
  return [resources, root ? [seenJob(api, 'store', root)] : []]
}

/** The ConfigMaps that were made for the pods of a Job (`base`: its name). */
export function programsOf(api: Api, base: string, { spec }: Job): Resource[] {
  const mounted = (spec.template?.spec?.volumes ?? []).flatMap(({ configMap }) => configMap?.name ?? [])
  return mounted.filter((name) => name.startsWith(`${base}-`)).map((name) => lentObject(api, 'configmaps', 'agent', name))
}

/** Throws if the root is gone or being removed: objects that it owns would be removed, too. */
export async function rootOf(api: Api, name: string): Promise<OwnerReference> {
  const job = await api.made<Job>('jobs', name)
  if (!job?.metadata.uid || job.metadata.deletionTimestamp) throw new RemoteError(`k8s: job ${name} is gone`)
  return { uid: job.metadata.uid, name }
}

/** A ConfigMap with the agent (digest `wanted`), and other data that is not secret. */
export function agentResource(
  { api, agent }: Means,
  name: string,
  wanted: string,
  params: Omit<ObjectParams, 'make'>,
  data: Readonly<Record<string, string>> = {},
): Resource {
  const make = async () => {
    const { digest, bytes } = await agent()
    if (digest !== wanted) throw new RemoteError(`the agent has the digest ${digest}, not ${wanted}`)
    if (bytes.length > MAX_AGENT_BYTES) throw new RemoteError(`the agent has ${bytes.length} bytes, which is more than a ConfigMap holds`)
    return { metadata: { name }, immutable: true, data, binaryData: { 'agent.mjs': Buffer.from(bytes).toString('base64') } }
  }
  return objectResource(api, 'configmaps', 'agent', name, { ...params, make })
}

/** A key for a whole store; the passes of its machines are made from it. */
export const newToken = (): string => randomBytes(32).toString('hex')

function tokenSecret(id: string): { metadata: { name: string }; stringData: object } {
  const token = newToken()
  return { metadata: { name: id }, stringData: { token } }
}
