/**
 * Locks: under one, nobody can remove a machine, not even Azure's autoscale at the deadline.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources
 */
import { InputError, ifDenied } from '../../core/errors.ts'
import type { Api } from './api.ts'
import { noneThere } from './errors.ts'
import type { Settings } from './settings.ts'

/** Throws if there is a lock where machines would be: in the user's resource group, or in the subscription. */
export async function refuseLocked(api: Api, { resourceGroup: group }: Pick<Settings, 'resourceGroup'>): Promise<void> {
  // Without the filter, the answer also has the locks of every resource below.
  const query = { $filter: 'atScope()' }
  const asked =
    group === undefined
      ? api.all('locks.list', 'look for locks of the subscription', { query })
      : api.all('locks.ofGroup', `look for locks of ${group}`, { path: { group }, query })
  const [lock] = await asked.catch(ifDenied([])).catch(noneThere)
  if (!lock) return
  const { name = '', properties } = lock
  const inherited = !/\/resourceGroups\//i.test(lock.id ?? '')
  throw new InputError([
    {
      option: inherited ? 'azure-subscription' : 'resource-group',
      message: `${inherited ? 'the subscription' : group} has the lock "${name}" (${properties?.level ?? 'ReadOnly'}): machines could not be removed, and would cost money even after their deadline`,
      hint: `name another one, or have the lock removed: az lock list${group === undefined ? '' : ` --resource-group ${group}`}`,
    },
  ])
}
