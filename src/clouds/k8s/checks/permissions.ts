/** Whether the caller has the rights that a run needs. */
import { type Check, looked } from '../../../core/check.ts'
import { plural } from '../../../lib/text.ts'
import type { Api } from '../api.ts'
import { RIGHTS, type Right } from '../permissions.ts'
import { release } from './namespace.ts'

/** One check for all rights that are granted, and one for each that is not. Rights that this cluster's version does not require yet are left out. */
export async function rights(api: Api): Promise<readonly Check[]> {
  const { minor } = await release(api)
  const wanted = RIGHTS.filter(({ since }) => since === undefined || !(minor < since))
  const checks = await Promise.all(wanted.map(async (right) => looked('permission', async () => allowed(api, right))))
  const bad = checks.filter(({ state }) => state !== 'ok')
  if (bad.length === wanted.length) return bad
  const says = `${wanted.length - bad.length} of ${plural(wanted.length, 'right')} as needed`
  return [...bad, { what: 'permissions', state: 'ok', says }]
}

async function allowed(api: Api, { group, resource: full, verbs, why }: Right): Promise<Check> {
  const [resource, subresource] = full.split('/')
  const missing: string[] = []
  for (const verb of verbs) {
    const resourceAttributes = { namespace: api.namespace, group, resource, ...(subresource && { subresource }), verb }
    if (!(await may(api, resourceAttributes))) missing.push(verb)
  }
  if (missing.length === 0) return { what: 'permission', state: 'ok', says: `${full}: ${verbs.join(', ')}` }
  const says = `may not ${missing.join(', ')} ${full} in namespace "${api.namespace}" (${why})`
  return { what: 'permission', state: 'denied', says, hint: 'ask for the rights that tpi permissions k8s prints' }
}

async function may(api: Api, resourceAttributes: object): Promise<boolean> {
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec: { resourceAttributes } }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const review = await api.ask<{ readonly status?: { readonly allowed?: boolean } }>('POST', path, body)
  return review?.status?.allowed === true
}
