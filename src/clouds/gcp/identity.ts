/**
 * The service account of machines: the one that the user names, or tpi's own for all deployments. An administrator who may grant roles makes tpi's
 * own once for a project, with its rights.
 * https://cloud.google.com/iam/docs/creating-custom-roles ; https://cloud.google.com/iam/docs/granting-changing-revoking-access
 */
import { AuthError, InputError, isRetryable, RemoteError, TpiError } from '../../core/errors.ts'
import type { Ensured } from '../../core/resource.ts'
import { onceKnown } from '../vm/identity.ts'
import { refusalIn } from '../vm/refusal.ts'
import type { Api } from './api.ts'
import { accountOf, MACHINE_ACCOUNT } from './names.ts'
import { MACHINE_ROLES, type MachineRole } from './permissions.ts'
import type { Binding } from './sdk.ts'

const THERE = /^ALREADY_EXISTS$/
/** The version of policies with conditions: https://cloud.google.com/iam/docs/policies#versions */
const VERSION = 3

export async function makeShared(api: Api): Promise<Ensured> {
  const project = await api.project()
  const member = `serviceAccount:${accountOf(project)}`
  // The policy below names account and roles, so they must exist before.
  const [made] = await Promise.all([makeAccount(api), ...MACHINE_ROLES.map(async (role) => setRole(api, role))])
  const bindings = MACHINE_ROLES.map(({ id, condition }) => ({ role: `projects/${project}/roles/${id}`, members: [member], condition }))
  await onceKnown(async () => grant(api, bindings), passes)
  return made
}

async function makeAccount(api: Api): Promise<Ensured> {
  const body = { accountId: MACHINE_ACCOUNT, serviceAccount: { displayName: 'machines of tpi' } }
  const tried = `create service account ${MACHINE_ACCOUNT}`
  return (await api.unless(THERE, 'iam:projects.serviceAccounts.create', tried, { body })) ? 'created' : 'found'
}

async function setRole(api: Api, { id, title, permissions }: MachineRole): Promise<void> {
  const role = { title, includedPermissions: permissions, stage: 'GA' }
  const tried = `set what role ${id} may do`
  if (await api.unless(THERE, 'iam:projects.roles.create', tried, { body: { roleId: id, role } })) return
  await api.call('iam:projects.roles.patch', tried, { path: { role: id }, query: { updateMask: 'title,includedPermissions' }, body: role })
}

/** Everything else in the project's policy stays as it is. */
async function grant(api: Api, wanted: readonly Binding[]): Promise<void> {
  const options = { requestedPolicyVersion: VERSION }
  const tried = `give ${MACHINE_ACCOUNT} its roles`
  const policy = await api.call('cloudresourcemanager:projects.getIamPolicy', tried, { body: { options } })
  const missing = wanted.filter((one) => !(policy.bindings ?? []).some((other) => isGiven(one, other)))
  if (missing.length === 0) return
  const bindings = [...(policy.bindings ?? []), ...missing]
  await api.call('cloudresourcemanager:projects.setIamPolicy', tried, { body: { policy: { ...policy, version: VERSION, bindings } } })
}

const isGiven = (one: Binding, by: Binding): boolean =>
  one.role === by.role &&
  one.condition?.expression === by.condition?.expression &&
  one.members.every((member) => by.members.includes(member))

/**
 * The account is not known there yet, or the policy has changed since it was read (its `etag`):
 * https://cloud.google.com/iam/docs/access-change-propagation
 */
function passes(error: unknown): boolean {
  if (isRetryable(error)) return true
  const refusal = refusalIn(error)
  if (refusal?.code === 'ABORTED' || refusal?.status === 409) return true
  return error instanceof InputError && refusal?.status === 400 && /does not exist/i.test(refusal.message)
}

export interface ServiceAccount {
  readonly email: string
  readonly scopes: readonly string[]
  /** Present if IAM does not say whether the caller may use it: why. It shows when machines are made. */
  readonly unseen?: TpiError
}

const GONE_ACCOUNT = /^(?:notFound|NOT_FOUND|RESOURCE_NOT_FOUND)$/

/** The account of a run's machines. Throws if the caller may not use it. TPI wrote `EMAIL,scopes=a,b`. */
export async function chosenAccount(api: Api, project: string, permissionSet: string | undefined): Promise<ServiceAccount> {
  const [email = '', ...rest] = (permissionSet ?? accountOf(project)).split(',')
  const scopes = (rest.join(',').replace(/^scopes=/, '') || 'cloud-platform').split(',')
  const account = { email, scopes: scopes.map((scope) => (scope.includes('/') ? scope : `https://www.googleapis.com/auth/${scope}`)) }
  const right = 'iam.serviceAccounts.actAs'
  const tried = `look at service account ${email}`
  const tested = await api
    .unless(GONE_ACCOUNT, 'iam:projects.serviceAccounts.testIamPermissions', tried, {
      path: { account: email },
      body: { permissions: [right] },
    })
    .catch((error: unknown) => {
      // The API is off, or IAM does not answer.
      if (error instanceof AuthError || error instanceof RemoteError) return error
      throw error
    })
  if (tested instanceof TpiError) return { ...account, unseen: tested }
  if (tested?.permissions?.includes(right)) return account
  const hint =
    permissionSet === undefined
      ? 'make it with what "tpi permissions gcp" prints, or name another service account'
      : 'check its e-mail address, and that you have roles/iam.serviceAccountUser on it'
  const message = tested ? `you may not use the service account ${email} (${right})` : `there is no service account ${email}`
  throw new InputError([{ option: 'permission-set', message, hint }])
}
