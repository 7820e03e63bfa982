/** Whether the caller has the rights that a run needs. */
import { type Check, looked } from '../../../core/check.ts'
import { plural } from '../../../lib/text.ts'
import type { Api } from '../api.ts'
import { accessReview } from '../job-rights.ts'
import { RIGHTS, type Right } from '../permissions.ts'
import { release } from './namespace.ts'

/** One check for all rights that are granted, and one for each that is not. Rights that only later versions of Kubernetes require are left out. */
export async function rights(api: Api): Promise<readonly Check[]> {
  const { minor } = await release(api)
  const wanted = RIGHTS.filter(({ since }) => since === undefined || !(minor < since))
  const checks = await Promise.all(wanted.map(async (right) => looked('permission', async () => allowed(api, right))))
  const bad = checks.filter(({ state }) => state !== 'ok')
  if (bad.length === wanted.length) return bad
  const says = `${wanted.length - bad.length} of ${plural(wanted.length, 'right')} as needed`
  return [...bad, { what: 'permissions', state: 'ok', says }]
}

async function allowed(api: Api, { group, resource, verbs, why }: Right): Promise<Check> {
  const missing: string[] = []
  for (const verb of verbs) {
    const { path, body } = accessReview({ namespace: api.namespace, verb, group, resource })
    const review = await api.ask<{ readonly status?: { readonly allowed?: boolean } }>('POST', path, body)
    if (review?.status?.allowed !== true) missing.push(verb)
  }
  if (missing.length === 0) return { what: 'permission', state: 'ok', says: `${resource}: ${verbs.join(', ')}` }
  const says = `may not ${missing.join(', ')} ${resource} in namespace "${api.namespace}" (${why})`
  return { what: 'permission', state: 'denied', says, hint: 'ask for the rights that tpi permissions k8s prints' }
}
