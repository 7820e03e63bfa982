/** A caller with the Role that `tpi permissions k8s` prints and no other right, because an administrator would never be refused anything. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { roleText } from '../../../src/clouds/k8s/permissions.ts'
import { until } from '../shell.ts'
import type { KubernetesObject } from './api.ts'
import type { Cluster } from './cluster.ts'

const ACCOUNT = 'tpi'

/** Resolves to the path of its kubeconfig, once the API server applies the role. */
export async function callerIn({ api, kubeconfig }: Cluster, namespace: string, place: string): Promise<string> {
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
  await api.create(accounts, { metadata: { name: ACCOUNT } })
  for (const document of parseAllDocuments(roleText(namespace, ACCOUNT))) {
    const made = document.toJS() as KubernetesObject & { kind: string }
    await api.create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/${made.kind.toLowerCase()}s`, made)
  }
  const user = `system:serviceaccount:${namespace}:${ACCOUNT}`
  const spec = { user, resourceAttributes: { namespace, verb: 'create', group: 'batch', resource: 'jobs' } }
  await until('the API server to know the role', 20, async () => {
    const review = await api.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })
    return review.status?.['allowed'] === true || undefined
  })
  return writeKubeconfig(kubeconfig, { namespace, place, token: await tokenOf(api, `${accounts}/${ACCOUNT}/token`) })
}

async function tokenOf(api: Cluster['api'], path: string): Promise<string> {
  return String((await api.create(path, { spec: {} })).status?.['token'])
}

interface Caller {
  readonly namespace: string
  readonly place: string
  readonly token: string
}

function writeKubeconfig(administrator: string, { namespace, place, token }: Caller): string {
  const admin = JSON.parse(readFileSync(administrator, 'utf8')) as object
  const contexts = [{ name: 'lab', context: { cluster: 'lab', user: ACCOUNT, namespace } }]
  const file = join(place, 'kubeconfig')
  writeFileSync(file, JSON.stringify({ ...admin, users: [{ name: ACCOUNT, user: { token } }], contexts }), { mode: 0o600 })
  return file
}
