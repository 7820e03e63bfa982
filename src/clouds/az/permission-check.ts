/** The caller's permissions in the subscription: nothing is created for it. https://learn.microsoft.com/rest/api/authorization/permissions */
import type { Check } from '../../core/check.ts'
import { ifDenied } from '../../core/errors.ts'
import type { Api } from './api.ts'
import { callerActions, DATA } from './permissions.ts'
import type { Permission } from './sdk.ts'

export async function callerCheck(api: Api): Promise<string | Check> {
  const what = 'permissions'
  const all = await api.all('permissions.list', 'look at your permissions').catch(ifDenied(undefined))
  // Not everything is missing: the caller may only not ask.
  if (!all)
    return {
      what,
      state: 'warning',
      says: 'which permissions you have cannot be seen',
      hint: 'tpi permissions az prints what is needed, and why',
    }
  const may = (action: string, allowed: keyof Permission, denied: keyof Permission): boolean =>
    all.some((one) => (one[allowed] ?? []).some((like) => fits(like, action)) && !(one[denied] ?? []).some((like) => fits(like, action)))
  const wanted = callerActions()
  const missing = [
    ...wanted.filter((action) => !may(action, 'actions', 'notActions')),
    ...DATA.filter((action) => !may(action, 'dataActions', 'notDataActions')),
  ]
  if (missing.length === 0) return `you have all ${wanted.length + DATA.length} that tpi uses, in the whole subscription`
  const more = missing.length > 4 ? ` and ${missing.length - 4} more` : ''
  return {
    what,
    // They may have been granted only in a resource group.
    state: 'warning',
    says: `in the subscription as a whole, you lack ${missing.slice(0, 4).join(', ')}${more}`,
    hint: 'give what "tpi permissions az" prints, or name the resource group in which you have them: --resource-group NAME',
  }
}

/** `*` matches anything. https://learn.microsoft.com/azure/role-based-access-control/role-definitions#actions-format */
function fits(like: string, action: string): boolean {
  const parts = like.split('*').map((part) => part.replace(/[.\\/^$+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(action)
}
