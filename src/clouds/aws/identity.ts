/** The identity of machines: the one that the user named, a role made for them, or the account's shared role. */
import type { Reference } from '../../core/cloud.ts'
import { AuthError, ifDenied } from '../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../core/resource.ts'
import { settleAll } from '../../lib/settle-all.ts'
import { messageOf } from '../../lib/text.ts'
import { onceKnown } from '../vm/identity.ts'
import type { Api } from './api.ts'
import { Youth, youngIf } from './eventual-consistency.ts'
import type { Repository } from './image-registry.ts'
import { PATH, roleName, SHARED_ROLE } from './names.ts'
import { type Bucket, machinePolicy, type Policy, trustPolicy } from './policy.ts'
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
  DeleteInstanceProfileCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  GetInstanceProfileCommand,
  GetRoleCommand,
  ListAttachedRolePoliciesCommand,
  PutRolePolicyCommand,
  RemoveRoleFromInstanceProfileCommand,
} from './sdk.ts'
import { pairsOf } from './tags.ts'

const POLICY = 'tpi'
const THERE = /^EntityAlreadyExists(?:Exception)?$/
export const GONE = /^NoSuchEntity(?:Exception)?$/
/** Characters that IAM allows in tags; the other services allow any. https://docs.aws.amazon.com/IAM/latest/APIReference/API_Tag.html */
const PLAIN = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u
/** An instance profile takes only one role: this answer means that it has its role already. */
const FULL = /^LimitExceeded(?:Exception)?$/
/** The role was just removed from its profile, and still counts as part of it. */
const BUSY = /^DeleteConflict(?:Exception)?$/
/** What the vendor says if somebody else has attached a policy to the role: waiting does not help. */
const ATTACHED = /must detach all policies/

export interface IdentityParams {
  readonly of: Reference
  readonly permissionSet?: string
  readonly boundary?: string
  readonly tags: Readonly<Record<string, string>>
  readonly bucket: Bucket
  /** Buckets that machines also read. */
  readonly data: readonly Bucket[]
  readonly image?: Repository | undefined
  /** The deployment has a second group (`spot: prefer`). */
  readonly twin?: boolean
  readonly signal: AbortSignal
}

export interface Identity {
  /** As a launch template names it; known after the first stage. */
  profile(): { readonly Arn: string } | { readonly Name: string }
  /** First the role, then its policy. */
  readonly first: readonly Resource[]
  readonly second: readonly Resource[]
}

export function identityOf(api: Api, params: IdentityParams): Identity {
  const { permissionSet } = params
  if (permissionSet !== undefined) {
    const profile = permissionSet.startsWith('arn:') ? { Arn: permissionSet } : { Name: permissionSet }
    return { profile: () => profile, first: [], second: [] }
  }
  const name = roleName(params.of)
  let shared = false
  const young = new Young()
  const first: Resource = {
    kind: 'role',
    name,
    async ensure() {
      params.signal.throwIfAborted()
      try {
        return await makeRole(api, name, params, young)
      } catch (error) {
        if (!(error instanceof AuthError)) throw error
        const [there, half] = await Promise.all([hasShared(api), withoutHalf(api, name, young)])
        if (!there) throw error
        shared = true
        return half
      }
    },
    remove: async () => removeRole(api, name, young),
  }
  const second: Resource = {
    kind: 'role policy',
    name,
    async ensure() {
      params.signal.throwIfAborted()
      return shared ? 'found' : grant(api, name, params)
    },
    // It is removed with its role.
    remove: async () => 'absent',
  }
  return { profile: () => ({ Name: shared ? SHARED_ROLE : name }), first: [first], second: [second] }
}

/** The caller may be allowed to make only one of the two. */
class Young {
  readonly role = new Youth()
  readonly profile = new Youth()

  get isAny(): boolean {
    return this.role.isNew || this.profile.isNew
  }
}

/** May throw AuthError: then the caller may not create roles. Rejects only when nothing is being made any more. */
async function makeRole(api: Api, name: string, params: Pick<IdentityParams, 'boundary' | 'tags'>, young = new Young()): Promise<Ensured> {
  const { partition } = await api.caller()
  const plain = pairsOf(params.tags).filter(({ Key, Value }) => PLAIN.test(Key + Value))
  // IAM treats `Team` and `team` as equal: the later one stays, and tpi's come last.
  const tags = [...new Map(plain.map((pair) => [pair.Key.toLowerCase(), pair])).values()]
  const role = {
    RoleName: name,
    Path: PATH,
    AssumeRolePolicyDocument: JSON.stringify(trustPolicy(partition)),
    ...(params.boundary !== undefined && { PermissionsBoundary: params.boundary }),
    Tags: tags,
  }
  const profile = { InstanceProfileName: name, Path: PATH, Tags: tags }
  const [made] = await settleAll([
    young.role.making(() => api.unless(THERE, `create role ${name}`, () => api.iam.send(new CreateRoleCommand(role)))),
    young.profile.making(() =>
      api.unless(THERE, `create instance profile ${name}`, () => api.iam.send(new CreateInstanceProfileCommand(profile))),
    ),
  ])
  return made === undefined ? 'found' : 'created'
}

/** Removes the one that was made although the other was refused: it serves nobody. `created`: it is still there, and goes with the run. */
async function withoutHalf(api: Api, name: string, young: Young): Promise<Ensured> {
  if (!young.isAny) return 'found'
  const outcome = await removeRole(api, name, young).catch(() => 'pending' as const)
  return outcome === 'pending' ? 'created' : 'found'
}

async function grant(api: Api, name: string, { of, bucket, data, image, twin = false }: IdentityParams): Promise<Ensured> {
  return empower(api, name, machinePolicy(await api.caller(), api.region, { bucket, data, image, of, twin }))
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency */
async function empower(api: Api, name: string, policy: Policy): Promise<Ensured> {
  const [added] = await Promise.all([
    api.unless(FULL, `put role ${name} into its instance profile`, () =>
      api.iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName: name, RoleName: name })),
    ),
    api.call(`set what role ${name} may do`, () =>
      api.iam.send(new PutRolePolicyCommand({ RoleName: name, PolicyName: POLICY, PolicyDocument: JSON.stringify(policy) })),
    ),
  ]).catch(youngIf(GONE))
  return added === undefined ? 'found' : 'created'
}

/** Makes the role that all deployments of the account share, in all regions. */
export async function makeShared(
  api: Api,
  { boundary, data, image }: Pick<IdentityParams, 'boundary' | 'data' | 'image'>,
): Promise<Ensured> {
  const caller = await api.caller()
  const made = await makeRole(api, SHARED_ROLE, { tags: {}, ...(boundary !== undefined && { boundary }) })
  const policy = machinePolicy(caller, '*', { bucket: { name: `tpi-${caller.account}-*`, prefix: '' }, data, image })
  await onceKnown(async () => empower(api, SHARED_ROLE, policy))
  return made
}

async function hasShared(api: Api): Promise<boolean> {
  const found = await api
    .unless(GONE, `look for role ${SHARED_ROLE}`, () => api.iam.send(new GetInstanceProfileCommand({ InstanceProfileName: SHARED_ROLE })))
    .catch(() => undefined)
  return found !== undefined
}

/** Takes off its policy and its profile first: AWS does not remove a role that has either. */
export async function removeRole(api: Api, name: string, young = new Young()): Promise<Removed> {
  const both = { InstanceProfileName: name, RoleName: name }
  await Promise.all([
    api.unless(GONE, `take role ${name} out of its instance profile`, () => api.iam.send(new RemoveRoleFromInstanceProfileCommand(both))),
    api.unless(GONE, `remove the policy of role ${name}`, () =>
      api.iam.send(new DeleteRolePolicyCommand({ RoleName: name, PolicyName: POLICY })),
    ),
  ])
  const codes = { gone: GONE, busy: BUSY }
  const [role, profile] = await Promise.all([
    api.remove(`remove role ${name}`, codes, async () => {
      await api.iam.send(new DeleteRoleCommand({ RoleName: name })).catch(async (error: unknown) => {
        if (ATTACHED.test(messageOf(error))) await detachAll(api, name)
        throw error
      })
    }),
    api.remove(`remove instance profile ${name}`, codes, async () =>
      api.iam.send(new DeleteInstanceProfileCommand({ InstanceProfileName: name })),
    ),
  ])
  const outcomes = [young.role.doubt('role', role), young.profile.doubt('profile', profile)]
  if (outcomes.includes('pending')) return 'pending'
  return outcomes.includes('removed') ? 'removed' : 'absent'
}

/**
 * Some accounts attach policies to the role of every machine:
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/quick-setup-host-management.html
 */
async function detachAll(api: Api, name: string): Promise<void> {
  const tried = `detach the policies that somebody else has attached to role ${name}`
  const listed = await api.unless(GONE, tried, async () => api.iam.send(new ListAttachedRolePoliciesCommand({ RoleName: name })))
  const detach = async (PolicyArn: string): Promise<unknown> =>
    api.unless(GONE, tried, async () => api.iam.send(new DetachRolePolicyCommand({ RoleName: name, PolicyArn })))
  await Promise.all((listed?.AttachedPolicies ?? []).flatMap(({ PolicyArn }) => (PolicyArn === undefined ? [] : [detach(PolicyArn)])))
}

/** A caller who may not read roles has made none. */
export async function leftoverRole(api: Api, of: Reference): Promise<Resource[]> {
  const name = roleName(of)
  const found = await Promise.all([
    api.unless(GONE, `look for role ${name}`, () => api.iam.send(new GetRoleCommand({ RoleName: name }))).catch(ifDenied(undefined)),
    api
      .unless(GONE, `look for instance profile ${name}`, () => api.iam.send(new GetInstanceProfileCommand({ InstanceProfileName: name })))
      .catch(ifDenied(undefined)),
  ])
  if (found.every((one) => one === undefined)) return []
  return [{ kind: 'role', name, ensure: async () => 'found', remove: async () => removeRole(api, name) }]
}
