/** The caller's rights in the subscription: nothing is created for it. https://learn.microsoft.com/rest/api/authorization/permissions */
import type { Check } from '../../core/check.ts'
import { ifDenied } from '../../core/errors.ts'
import type { Api } from './api.ts'
import { callerActions, DATA } from './permissions.ts'
import type { Permission } from './sdk.ts'

export async function callerCheck(api: Api): Promise<string | Check> {
  // A caller who may not ask must not be told that everything is missing.
  const all = await api.all<Permission>('permissions.list', 'look at your rights').catch(ifDenied(undefined))
  if (!all) return { what: 'rights', state: 'warning', says: 'which rights you have cannot be seen', hint: 'see: tpi permissions az' }
  const may = (action: string, allowed: keyof Permission, denied: keyof Permission): boolean =>
    all.some((one) => (one[allowed] ?? []).some((like) => fits(like, action)) && !(one[denied] ?? []).some((like) => fits(like, action)))
  const missing = [
    ...callerActions().filter((action) => !may(action, 'actions', 'notActions')),
    ...DATA.filter((action) => !may(action, 'dataActions', 'notDataActions')),
  ]
  if (missing.length === 0) return 'all that are needed, in the whole subscription'
  const more = missing.length > 4 ? ` and ${missing.length - 4} more` : ''
  return {
    what: 'rights',
    // The rights may have been granted only in a resource group.
    state: 'warning',
    says: `missing in the subscription as a whole: ${missing.slice(0, 4).join(', ')}${more}`,
    hint: 'give what "tpi permissions az" prints, or name the resource group in which you have them: --resource-group NAME',
  }
}

/** `*` matches anything. https://learn.microsoft.com/azure/role-based-access-control/role-definitions#actions-format */
function fits(like: string, action: string): boolean {
  const parts = like.split('*').map((part) => part.replace(/[.\\/^$+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(action)
}
