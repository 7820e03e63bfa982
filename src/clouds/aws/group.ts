/** The Auto Scaling group. */
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../core/resource.ts'
import { messageOf } from '../../lib/text.ts'
import type { Api } from './api.ts'
import { deadlineSwitch } from './deadline.ts'
import {
  type AutoScalingGroup,
  CreateAutoScalingGroupCommand,
  DeleteAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
} from './sdk.ts'

const THERE = /^AlreadyExists(?:Fault)?$/
/** Some of its machines are starting or ending. */
const BUSY = /^(?:ScalingActivityInProgress(?:Fault)?|ResourceInUse(?:Fault)?|ResourceContention(?:Fault)?)$/

export type GroupInput = ConstructorParameters<typeof CreateAutoScalingGroupCommand>[0]

export interface ScalingParams {
  readonly name: string
  readonly input: () => Promise<GroupInput>
  /** Milliseconds since 1970. */
  readonly end: number
  readonly signal: AbortSignal
}

/** Creates the group at size 0, then its switch. */
export function scalingGroup(api: Api, { name, input, end, signal }: ScalingParams): { readonly group: Resource; readonly off: Resource } {
  let made: Ensured = 'found'
  const group: Resource = {
    kind: 'group',
    name,
    async ensure() {
      signal.throwIfAborted()
      const params = await input()
      const created = await api
        .unless(THERE, `create group ${name}`, () => api.autoScaling.send(new CreateAutoScalingGroupCommand(params)))
        .catch((error: unknown) => {
          throw isYoung(error) ? new RemoteError(messageOf(error), { cause: error, retryable: true }) : error
        })
      made = created ? 'created' : 'found'
      return made
    },
    remove: async () => removeGroup(api, name),
  }
  const off = deadlineSwitch(api, { name, end, signal, made: () => made })
  return { group, off }
}

/** A role, template or security group that was just made is not known everywhere yet. */
const isYoung = (error: unknown): boolean =>
  error instanceof InputError &&
  /IAM Instance Profile|IamInstanceProfile|(?:launch template|security group).*does not exist|InvalidGroup\.NotFound/i.test(error.message)

export async function describeGroup(api: Api, name: string): Promise<AutoScalingGroup | undefined> {
  return (await describeGroups(api, [name]))[0]
}

/** Those of these groups that exist. */
export async function describeGroups(api: Api, names: readonly string[]): Promise<readonly AutoScalingGroup[]> {
  const found = await api.call(`look for group ${names[0]}`, () =>
    api.autoScaling.send(new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [...names] })),
  )
  return found.AutoScalingGroups ?? []
}

async function removeGroup(api: Api, name: string): Promise<Removed> {
  const there = await describeGroup(api, name)
  if (!there) return 'absent'
  if (there.Status !== undefined) return 'pending'
  const asked = await deleteGroup(api, name, true)
  if (asked !== 'removed') return asked
  return (there.Instances ?? []).length === 0 || !(await describeGroup(api, name)) ? 'removed' : 'pending'
}

/** Without force, AWS deletes the group only if it has no machines, and then at once. */
async function deleteGroup(api: Api, name: string, ForceDelete: boolean): Promise<Removed> {
  const command = new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: name, ForceDelete })
  const asked = await api.unless(BUSY, `remove group ${name}`, async () => (await ifThere(api.autoScaling.send(command))) ?? 'absent')
  if (asked === undefined) return 'pending'
  return asked === 'absent' ? 'absent' : 'removed'
}

/** The answer of a call about a group; `undefined`: there is no such group, for which the vendor has no code of its own. */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    const { name, message } = error as { readonly name?: string; readonly message?: string }
    if (name === 'ValidationError' && /not found|does not exist/i.test(message ?? '')) return undefined
    throw error
  })
}

export async function leftoverGroups(api: Api, names: readonly string[]): Promise<Resource[]> {
  return (await describeGroups(api, names)).map((there): Resource => {
    const name = there.AutoScalingGroupName ?? ''
    let first = true
    const remove = async (): Promise<Removed> => {
      // In most cases its machines are already gone.
      const asked = first ? await deleteGroup(api, name, false) : 'pending'
      first = false
      return asked === 'pending' ? removeGroup(api, name) : asked
    }
    return { kind: 'group', name, ensure: async () => 'found', remove }
  })
}
