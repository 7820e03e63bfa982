/**
 * Who may do what in the subscription, and what is enabled in it: callers what a test says, machines what the roles of their identity allow
 * (https://learn.microsoft.com/azure/role-based-access-control/overview#how-azure-rbac-determines-if-a-user-has-access-to-a-resource); providers (https://learn.microsoft.com/rest/api/resources/providers), identities
 * (https://learn.microsoft.com/rest/api/managedidentity/user-assigned-identities), and role assignments, which take minutes to be known everywhere
 * (https://learn.microsoft.com/azure/role-based-access-control/troubleshooting#role-assignment-changes-are-not-being-detected).
 */
import { randomUUID } from 'node:crypto'
import { like } from '../vm/like.ts'
import type { CloudClock } from '../vm/simulation/clock.ts'
import { ArmFault, forbidden, notRegistered } from './fault.ts'
import { record } from './method.ts'
import { SUBSCRIPTION, TENANT } from './resources.ts'
import type { Fields } from './tables.ts'

export const PROVIDERS = [
  'Microsoft.Compute',
  'Microsoft.Network',
  'Microsoft.Storage',
  'Microsoft.Insights',
  'Microsoft.ManagedIdentity',
  'Microsoft.Authorization',
  'Microsoft.Resources',
]

export interface Role {
  readonly id: string
  readonly name: string
  readonly properties: Fields
}

export interface RoleAssignment {
  readonly id: string
  readonly name: string
  readonly scope: string
  readonly properties: Fields
  /** Milliseconds since 1970; absent: it was always there. */
  readonly bornAt?: number
}

/** Who makes a call: a caller, or a machine by the identity (a principal of the directory) whose token it sends. */
export interface Who {
  readonly kind: 'caller' | 'machine'
  readonly client: string
  readonly principal?: string
}

/** `dataActions`: what blobs are used by: https://learn.microsoft.com/azure/role-based-access-control/role-definitions#control-and-data-actions */
type ActionKind = 'actions' | 'dataActions'

export class Account {
  /** Namespaces that are not registered. */
  readonly unregistered = new Set<string>()
  /** Actions that the caller lacks: `Microsoft.Compute/virtualMachineScaleSets/write`. */
  readonly missing = new Set<string>()
  /** If set, the only actions and data actions that the caller may do, in lower case. */
  only: ReadonlySet<string> | undefined
  /** Milliseconds that a new assignment stays unknown. */
  roleLag = 0
  /** Which actions were needed, in lower case, and by whom: `machine microsoft.compute/virtualmachines/delete`. */
  readonly used = new Set<string>()
  /** Data actions that the caller lacks: `Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write`. */
  readonly missingData = new Set<string>()
  /** The subscription's custom roles, by their names in lower case. */
  readonly roles = new Map<string, Role>()
  readonly assignments = new Map<string, RoleAssignment>()
  /** Locks, by the subscription's or resource group's id. */
  readonly locks = new Map<string, Fields>()
  readonly #clock: CloudClock

  constructor(clock: CloudClock) {
    this.#clock = clock
  }

  allow(who: Who, verb: string, path: string): void {
    const action = actionOf(verb, path)
    if (action === undefined) return
    if (!this.may(who, action, path)) throw forbidden(action, path, who.client)
    const [namespace = ''] = action.split('/')
    if (verb !== 'GET' && this.unregistered.has(namespace)) throw notRegistered(namespace)
  }

  /** `scope`: the id of a resource. */
  may({ kind, principal }: Who, action: string, scope: string, of: ActionKind = 'actions'): boolean {
    this.used.add(`${kind} ${action.toLowerCase()}`)
    return kind === 'caller' ? !this.#lacks(action) : this.#rolesAt(scope, principal).some((role) => allows(role, of, action))
  }

  #lacks(action: string): boolean {
    const small = action.toLowerCase()
    if (this.only && !this.only.has(small)) return true
    return [...this.missing, ...this.missingData].some((one) => one.toLowerCase() === small)
  }

  /** Roles that were given there or above: https://learn.microsoft.com/azure/role-based-access-control/scope-overview */
  #rolesAt(scope: string, principal: string | undefined): readonly Role[] {
    const now = this.#clock.now()
    const given = [...this.assignments.values()].filter(
      ({ properties, scope: above, bornAt = -Infinity }) =>
        properties['principalId'] === principal &&
        now - bornAt >= this.roleLag &&
        `${scope}/`.toLowerCase().startsWith(`${above}/`.toLowerCase()),
    )
    return given.map(({ properties }) => {
      const id = String(properties['roleDefinitionId'])
      const role = this.roles.get(id.split('/').at(-1)?.toLowerCase() ?? '')
      if (!role) throw new Error(`the lab does not know what the role ${id} allows`)
      return role
    })
  }

  provider(namespace: string): Fields {
    const known = PROVIDERS.find((one) => one.toLowerCase() === namespace.toLowerCase())
    if (known === undefined) throw new ArmFault(404, 'InvalidResourceNamespace', `The resource namespace '${namespace}' is invalid.`)
    return {
      id: `/subscriptions/${SUBSCRIPTION}/providers/${known}`,
      namespace: known,
      registrationState: this.unregistered.has(known) ? 'NotRegistered' : 'Registered',
      registrationPolicy: 'RegistrationRequired',
      resourceTypes: [],
    }
  }

  permissions(): Fields {
    return { value: [{ actions: ['*'], notActions: [...this.missing], dataActions: ['*'], notDataActions: [...this.missingData] }] }
  }

  define(scope: string, name: string, properties: Fields): Role {
    const role = { id: `${scope}/providers/Microsoft.Authorization/roleDefinitions/${name}`, name, properties }
    this.roles.set(name.toLowerCase(), role)
    return role
  }

  /** `since`: `always`, for one that is known everywhere. */
  assign(scope: string, name: string, properties: Fields, since: 'now' | 'always' = 'now'): RoleAssignment {
    // An assignment exists also if it has another name: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting
    const facts = ({ principalId, roleDefinitionId }: Fields, at: string): string =>
      `${at} ${String(principalId)} ${String(roleDefinitionId)}`
    const before = [...this.assignments.values()].find(
      (one) => one.name.toLowerCase() === name.toLowerCase() || facts(one.properties, one.scope) === facts(properties, scope),
    )
    if (before) throw new ArmFault(409, 'RoleAssignmentExists', 'The role assignment already exists.')
    const made = {
      id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`,
      name,
      scope,
      properties: { ...properties, scope },
      ...(since === 'now' && { bornAt: this.#clock.now() }),
    }
    this.assignments.set(name.toLowerCase(), made)
    return made
  }

  /** The properties of a new user-assigned identity. */
  identity(): Fields {
    return { tenantId: TENANT, principalId: randomUUID(), clientId: randomUUID() }
  }

  inventory(): readonly string[] {
    return [...this.roles.values(), ...this.assignments.values()].map(({ id }) => id)
  }
}

/** https://learn.microsoft.com/azure/role-based-access-control/role-definitions#how-permissions-are-evaluated-by-role-definitions : without case */
function allows({ properties }: Role, kind: ActionKind, action: string): boolean {
  const but = kind === 'actions' ? 'notActions' : 'notDataActions'
  const named = (patterns: unknown): boolean =>
    ((patterns ?? []) as readonly string[]).some((one) => like(one.toLowerCase(), action.toLowerCase()))
  return ((properties['permissions'] ?? []) as readonly unknown[])
    .map(record)
    .some((permission) => named(permission[kind]) && !named(permission[but]))
}

/** https://learn.microsoft.com/azure/role-based-access-control/role-definitions#actions-format ; `undefined`: the call needs no right. */
export function actionOf(verb: string, path: string): string | undefined {
  const last = /.*\/providers\/([^/]+)\/(.*?)\/?$/i.exec(path)
  const [group] = /^\/subscriptions\/[^/]+\/resourcegroups(?:\/[^/]+)?\/?$/i.exec(path) ?? []
  const what = { GET: 'read', HEAD: 'read', PUT: 'write', PATCH: 'write', DELETE: 'delete', POST: 'action' }[verb]
  if (what === undefined) return undefined
  if (group !== undefined) return `Microsoft.Resources/subscriptions/resourceGroups/${what}`
  if (!last) return undefined
  const [, namespace = '', rest = ''] = last
  const parts = rest.split('/')
  const types = parts.filter((_, at) => at % 2 === 0)
  const known = PROVIDERS.find((one) => one.toLowerCase() === namespace.toLowerCase()) ?? namespace
  return `${known}/${types.join('/')}/${what}`
}
