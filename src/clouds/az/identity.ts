/**
 * The identity of machines: the one that the user named, or tpi's own for all deployments. Somebody who may assign roles makes that one once for a
 * subscription, with its rights.
 * https://learn.microsoft.com/azure/role-based-access-control/custom-roles ;
 * https://learn.microsoft.com/rest/api/authorization/role-assignments/create
 */
import { InputError } from '../../core/errors.ts'
import type { Ensured } from '../../core/resource.ts'
import { sha256 } from '../../lib/sha256.ts'
import { onceKnown } from '../vm/identity.ts'
import { refusalIn } from '../vm/refusal.ts'
import type { Api } from './api.ts'
import { identityId, MACHINE_IDENTITY, SHARED } from './names.ts'
import { DATA, MACHINE_ACTIONS, MACHINE_ROLE, rolesOf } from './permissions.ts'
import type { ManagedIdentity } from './sdk.ts'
import { ensureSharedGroup } from './store.ts'

export async function makeShared(api: Api): Promise<Ensured> {
  const subscription = await api.subscription()
  // The assignment names both, so both must exist.
  const [identity, role] = await Promise.all([identityOf(api), roleOf(api, subscription)])
  const scope = `/subscriptions/${subscription}`
  const properties = {
    roleDefinitionId: `${scope}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    principalId: identity.properties?.principalId ?? '',
    principalType: 'ServicePrincipal',
  }
  const ask = { path: { assignment: guid(`${scope} ${properties.principalId} ${role}`) }, body: { properties } }
  const give = async (): Promise<Ensured> =>
    api.call('assignments.put', `give ${MACHINE_IDENTITY} its role`, ask).then(
      () => 'created',
      (error: unknown) => {
        // The same assignment exists, perhaps under another name.
        if (refusalIn(error)?.code !== 'RoleAssignmentExists') throw error
        return 'found'
      },
    )
  // The directory does not know a new identity everywhere at once: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting
  return onceKnown(give)
}

async function identityOf(api: Api): Promise<ManagedIdentity> {
  const path = { group: SHARED, identity: MACHINE_IDENTITY }
  const found = await api.maybe('identities.get', `look for the identity ${MACHINE_IDENTITY}`, { path })
  if (found) return found
  await ensureSharedGroup(api)
  return api.call('identities.put', `create the identity ${MACHINE_IDENTITY}`, { path, body: { location: api.region } })
}

/** Makes or updates the role of machines; its id. Names of roles are unique in the tenant, so one of that name is tpi's. */
async function roleOf(api: Api, subscription: string): Promise<string> {
  const { machine: roleName } = rolesOf(subscription)
  const query = { $filter: `roleName eq '${roleName}'` }
  const [found] = await api.all('roles.list', `look for the role ${roleName}`, { query })
  const role = found?.name ?? guid(roleName)
  const properties = {
    roleName,
    description: MACHINE_ROLE,
    type: 'CustomRole',
    permissions: [{ actions: MACHINE_ACTIONS, notActions: [], dataActions: DATA, notDataActions: [] }],
    assignableScopes: [`/subscriptions/${subscription}`],
  }
  await api.call('roles.put', `set what the role ${roleName} may do`, { path: { role }, body: { properties } })
  return role
}

/** A GUID derived from the text: the same text gives the same GUID. */
function guid(text: string): string {
  const hash = sha256(text.toLowerCase())
  return [hash.slice(0, 8), hash.slice(8, 12), `5${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}

/** A user-assigned identity, which machines use. */
export interface AssignedIdentity {
  readonly id: string
  readonly client: string
  /** The principal to which roles are assigned. */
  readonly principal: string
}

export const IDENTITY =
  /^\/subscriptions\/([^/\s]+)\/resourceGroups\/([^/\s]+)\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities\/([^/\s]+)$/i

/** The identity of a run's machines. Throws if there is none. */
export async function chosenIdentity(api: Api, own: string, permissionSet: string | undefined): Promise<AssignedIdentity> {
  const id = permissionSet ?? identityId(own)
  const [, subscription = own, group = '', identity = ''] = IDENTITY.exec(id) ?? []
  const found = await api.maybe('identities.get', `look for the identity ${identity}`, { path: { subscription, group, identity } })
  const { clientId: client, principalId: principal = '' } = found?.properties ?? {}
  if (found?.id && client) return { id: found.id, client, principal }
  const hint =
    permissionSet === undefined
      ? 'make it with what "tpi permissions az" prints, or name another one'
      : 'check its id: az identity show --query id'
  throw new InputError([{ option: 'permission-set', message: `there is no identity ${identity} in the group ${group}`, hint }])
}
