/**
 * The caller's permissions in the project: nothing is created for it.
 * https://docs.cloud.google.com/resource-manager/reference/rest/v1/projects/testIamPermissions
 */
import type { Check } from '../../core/check.ts'
import { unchecked } from '../vm/doctor.ts'
import { lackingCheck } from '../vm/permissions.ts'
import type { Api } from './api.ts'
import { callerPermissions, RIGHTS } from './permissions.ts'

/** Asks for all permissions of the printed role. */
export async function callerCheck(api: Api): Promise<string | Check> {
  const wanted = callerPermissions()
  const asked = { body: { permissions: wanted } }
  const tested = await api
    .call('cloudresourcemanager:projects.testIamPermissions', 'look at your permissions', asked)
    .catch((error: unknown) => unchecked('permissions', error))
  if ('says' in tested) return tested
  const missing = wanted.filter((name) => !tested.permissions?.includes(name))
  return missing.length === 0 ? `you have all ${wanted.length} that tpi uses` : permissionCheck(missing)
}

/** Permissions for storage may be granted on a single bucket, which this question does not show, so a lack of them is only a warning. */
export function permissionCheck(missing: readonly string[]): Check {
  const needed = missing.filter((name) => !name.startsWith('storage.'))
  return lackingCheck({ cloud: 'gcp', missing, needed, rights: RIGHTS, namesOf: ({ permissions }) => Object.keys(permissions) })
}
