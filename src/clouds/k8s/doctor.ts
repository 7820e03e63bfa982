/** What can be known before anything is created: the cluster, our rights, the disk of the store. */
import { type Check, faultChecks, looked } from '../../core/check.ts'
import type { MachineWish } from '../../core/cloud.ts'
import type { Api } from './api.ts'
import { faultsOf } from './faults.ts'
import { RIGHTS } from './permissions.ts'
import type { Settings } from './pod.ts'

const OLDEST_MINOR = 29

/** Every check on its own: one that cannot be made says why. */
export async function examine(api: Api, settings: Settings, wish: MachineWish): Promise<readonly Check[]> {
  const checks = await Promise.all([
    looked('version', async () => version(api)),
    ...RIGHTS.map(async (right) => looked('permission', async () => allowed(api, right))),
    looked('storage class', async () => storage(api, settings)),
  ])
  return [...checks.filter(({ state }) => state !== 'ok'), ...summary(checks), ...faultChecks(faultsOf(wish))]
}

function summary(checks: readonly Check[]): Check[] {
  const good = checks.filter(({ state }) => state === 'ok')
  const rights = good.filter(({ what }) => what === 'permission')
  const others = good.filter(({ what }) => what !== 'permission')
  return rights.length === 0
    ? others
    : [...others, { what: 'permissions', state: 'ok', says: `${rights.length} of ${RIGHTS.length} as needed` }]
}

async function version(api: Api): Promise<Check> {
  const said = await api.ask<{ major?: string; minor?: string; gitVersion?: string }>('GET', '/version')
  const minor = Number.parseInt(said?.minor ?? '', 10)
  const says = `Kubernetes ${said?.gitVersion ?? 'of unknown version'}`
  if (Number(said?.major) > 1 || minor >= OLDEST_MINOR) return { what: 'version', state: 'ok', says }
  return { what: 'version', state: 'fault', says, hint: `use a cluster of version 1.${OLDEST_MINOR} or later` }
}

interface Review {
  readonly status?: { readonly allowed?: boolean }
}

async function allowed(api: Api, { group, resource: full, verbs, why }: (typeof RIGHTS)[number]): Promise<Check> {
  const [resource, subresource] = full.split('/')
  const missing: string[] = []
  for (const verb of verbs) {
    const resourceAttributes = { namespace: api.namespace, group, resource, ...(subresource && { subresource }), verb }
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec: { resourceAttributes } }
    const review = await api.ask<Review>('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body)
    if (review?.status?.allowed !== true) missing.push(verb)
  }
  if (missing.length === 0) return { what: 'permission', state: 'ok', says: `${full}: ${verbs.join(', ')}` }
  const says = `may not ${missing.join(', ')} ${full} in namespace "${api.namespace}" (${why})`
  return { what: 'permission', state: 'denied', says, hint: 'ask for what tpi permissions k8s prints' }
}

interface StorageClass {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
}

async function storage(api: Api, { storageClass }: Settings): Promise<Check> {
  const path = '/apis/storage.k8s.io/v1/storageclasses'
  const found = await api.ask<{ items?: readonly StorageClass[] }>('GET', path).catch(() => undefined)
  if (!found)
    return { what: 'storage class', state: 'warning', says: 'may not be looked at: whether there is one shows when the claim is made' }
  const names = (found.items ?? []).map(({ metadata }) => metadata.name)
  const usual = found.items?.find(({ metadata }) => metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true')
  const wanted = storageClass ?? usual?.metadata.name
  if (wanted !== undefined && names.includes(wanted)) return { what: 'storage class', state: 'ok', says: wanted }
  const says = storageClass === undefined ? 'the cluster has no default' : `"${storageClass}" is not there`
  return { what: 'storage class', state: 'fault', says, hint: `give --storage-class: ${names.join(', ') || 'there is none'}; or --storage` }
}
