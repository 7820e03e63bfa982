/** The cluster and the namespace, and objects that must exist by name. */
import { type Check, looked } from '../../../core/check.ts'
import type { Api } from '../api.ts'
import type { Thing } from '../objects.ts'
import type { Settings } from '../settings.ts'
import { glimpse } from './look.ts'

/** Of Kubernetes 1: the first that has sidecars by default. https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/ */
const OLDEST_MINOR = 29

export async function version(api: Pick<Api, 'ask'>): Promise<Check> {
  const { minor, name } = await release(api)
  const says = `Kubernetes ${name ?? 'of unknown version'}`
  if (minor >= OLDEST_MINOR) return { what: 'version', state: 'ok', says }
  return { what: 'version', state: 'fault', says, hint: `use a cluster of version 1.${OLDEST_MINOR} or later` }
}

/** `minor`: the minor version of Kubernetes 1; NaN if the server does not tell it, infinite for a later major version. */
export async function release(api: Pick<Api, 'ask'>): Promise<{ readonly minor: number; readonly name?: string }> {
  const said = await api.ask<{ major?: string; minor?: string; gitVersion?: string }>('GET', '/version')
  const minor = Number(said?.major) > 1 ? Number.POSITIVE_INFINITY : Number.parseInt(said?.minor ?? '', 10)
  return { minor, ...(said?.gitVersion !== undefined && { name: said.gitVersion }) }
}

const STANDARD = 'pod-security.kubernetes.io/enforce'

export async function namespace(api: Api, { runAsUser, docker }: Settings): Promise<Check> {
  const what = 'namespace'
  return glimpse(what, 'whether it exists will show when the first object is created', async () => {
    const found = await api.ask<Thing>('GET', `/api/v1/namespaces/${api.namespace}`)
    if (!found)
      return { what, state: 'fault', says: `"${api.namespace}" does not exist`, hint: `kubectl create namespace ${api.namespace}` }
    const standard = found.metadata.labels?.[STANDARD]
    const says = standard === undefined ? api.namespace : `${api.namespace}, pod security standard "${standard}"`
    if (docker && standard !== undefined && standard !== 'privileged')
      return {
        what,
        state: 'fault',
        says,
        hint: 'leave out --container-mode, or use another namespace: this standard allows no privileged container',
      }
    if (standard !== 'restricted' || runAsUser !== undefined) return { what, state: 'ok', says }
    return { what, state: 'fault', says, hint: 'give --run-as-user: this standard allows no pod that may run as root' }
  })
}

/** Clusters still accept the older name, too: kubernetes, pkg/volume/util/storageclass.go */
const DEFAULT_CLASS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

export async function storage(api: Api, { storageClass, storageClaim }: Settings): Promise<Check> {
  if (storageClaim) return await claim(api, storageClaim.name)
  const what = 'storage class'
  return glimpse(what, 'whether there is one will show when the claim is created', async () => {
    const found = await api.ask<{ items?: readonly Thing[] }>('GET', '/apis/storage.k8s.io/v1/storageclasses')
    const all = (found?.items ?? []).map(({ metadata }) => metadata)
    const usual = all.find(({ annotations }) => DEFAULT_CLASS.some((name) => annotations?.[name] === 'true'))
    const wanted = storageClass ?? usual?.name
    if (wanted !== undefined && all.some(({ name }) => name === wanted)) return { what, state: 'ok', says: wanted }
    const says = storageClass === undefined ? 'the cluster has no default' : `"${storageClass}" does not exist`
    const names = all.map(({ name }) => name).join(', ')
    return { what, state: 'fault', says, hint: `give --storage-class: ${names || 'there is none'}; or --storage` }
  })
}

async function claim(api: Api, name: string): Promise<Check> {
  const what = 'storage-claim'
  return await glimpse(what, 'whether the claim exists will show when the store is created', async () => {
    if (await api.get('persistentvolumeclaims', name)) return { what, state: 'ok', says: name }
    return { what, state: 'fault', says: `there is no claim "${name}" in namespace "${api.namespace}"` }
  })
}

/** The script's service account. */
export async function account(api: Api, name: string | undefined): Promise<readonly Check[]> {
  if (name === undefined) return []
  const what = 'permission-set'
  const look = async (): Promise<Check> => {
    const found = await api.ask('GET', `/api/v1/namespaces/${api.namespace}/serviceaccounts/${name}`)
    if (found) return { what, state: 'ok', says: name }
    const says = `there is no service account "${name}" in namespace "${api.namespace}"`
    return { what, state: 'fault', says, hint: `kubectl -n ${api.namespace} create serviceaccount ${name}` }
  }
  return [await glimpse(what, 'whether the service account exists will show when the first pod is created', look)]
}

/** The secrets for pulling images. */
export async function pullSecrets(api: Api, names: readonly string[]): Promise<readonly Check[]> {
  return Promise.all(names.map(async (name) => looked('image-pull-secret', async () => pullSecret(api, name))))
}

async function pullSecret(api: Api, name: string): Promise<Check> {
  const what = 'image-pull-secret'
  const found = await api.get<Thing & { readonly type?: string }>('secrets', name)
  const where = `in namespace "${api.namespace}"`
  const hint = `kubectl -n ${api.namespace} create secret docker-registry ${name} …`
  if (!found) return { what, state: 'fault', says: `there is no secret "${name}" ${where}`, hint }
  if (found.type === 'kubernetes.io/dockerconfigjson' || found.type === 'kubernetes.io/dockercfg') return { what, state: 'ok', says: name }
  return { what, state: 'fault', says: `secret "${name}" ${where} is of type ${found.type}, which is not a registry login`, hint }
}
