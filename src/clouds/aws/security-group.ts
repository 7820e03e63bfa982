/** A security group that admits nothing from outside. If a deployment has several machines, it lets them reach each other. */
import { RemoteError } from '../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../core/resource.ts'
import type { Api } from './api.ts'
import { Youth, youngIf } from './eventual-consistency.ts'
import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupsCommand,
} from './sdk.ts'
import { pairsOf } from './tags.ts'

const THERE = /^InvalidGroup\.Duplicate$/
const TWICE = /^InvalidPermission\.Duplicate$/
const GONE = /^InvalidGroup(?:Id)?\.NotFound$/
/** The network interface of a machine outlives it for a moment. */
const IN_USE = /^(?:DependencyViolation|InvalidGroup\.InUse)$/

export interface GroupParams {
  readonly name: string
  readonly vpc: string
  readonly tags: Readonly<Record<string, string>>
  /** The deployment has several machines, which may reach each other. */
  readonly together: boolean
  readonly signal: AbortSignal
}

export interface SecurityGroup {
  /** Known after the first stage. */
  id(): string
  readonly first: Resource
  readonly second: readonly Resource[]
}

export function securityGroup(api: Api, params: GroupParams): SecurityGroup {
  const { name, vpc, tags, together, signal } = params
  let id = ''
  let made: Ensured = 'found'
  const youth = new Youth()
  const first: Resource = {
    kind: 'security group',
    name,
    async ensure() {
      signal.throwIfAborted()
      const command = new CreateSecurityGroupCommand({
        GroupName: name,
        Description: 'tpi-action: machines of one run',
        VpcId: vpc,
        TagSpecifications: [{ ResourceType: 'security-group', Tags: pairsOf(tags) }],
      })
      const created = await youth.making(() => api.unless(THERE, `create security group ${name}`, () => api.ec2.send(command)))
      const found = created?.GroupId ?? (await groupId(api, name))
      // A try before this one has made it, which reads do not show yet.
      if (found === undefined) throw new RemoteError(`aws: security group ${name} exists, but is not listed yet`, { retryable: true })
      id = found
      made = created ? 'created' : 'found'
      return made
    },
    remove: async () => youth.doubt(name, await removeGroup(api, name)),
  }
  const rule: Resource = {
    kind: 'security group rule',
    name,
    async ensure() {
      signal.throwIfAborted()
      const permission = { IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: id }] }
      const added = await api
        .unless(TWICE, `let machines of ${name} reach each other`, () =>
          api.ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: id, IpPermissions: [permission] })),
        )
        .catch(youngIf(GONE))
      return added ? 'created' : 'found'
    },
    // It is removed with its group.
    remove: async () => 'absent',
  }
  return { id: () => id, first, second: together ? [rule] : [] }
}

/** Finds it by its name, in whatever network it was made. */
async function groupId(api: Api, name: string): Promise<string | undefined> {
  const asked = { Filters: [{ Name: 'group-name', Values: [name] }] }
  const found = await api.call(`look for security group ${name}`, () => api.ec2.send(new DescribeSecurityGroupsCommand(asked)))
  return found.SecurityGroups?.[0]?.GroupId
}

async function removeGroup(api: Api, name: string, known?: string): Promise<Removed> {
  const id = known ?? (await groupId(api, name))
  if (id === undefined) return 'absent'
  const codes = { gone: GONE, busy: IN_USE, isThere: async () => (await groupId(api, name)) !== undefined }
  return api.remove(`remove security group ${name}`, codes, async () => api.ec2.send(new DeleteSecurityGroupCommand({ GroupId: id })))
}

export async function leftoverSecurityGroup(api: Api, name: string): Promise<Resource[]> {
  const id = await groupId(api, name)
  if (id === undefined) return []
  return [{ kind: 'security group', name, ensure: async () => 'found', remove: async () => removeGroup(api, name, id) }]
}
