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
  readonly input: GroupInput
  /** The hard deadline, in milliseconds since 1970. */
  readonly end: number
  readonly signal: AbortSignal
}

export interface ScalingGroup {
  readonly group: Resource
  /** The dead-man's switch, which is made after the group. */
  readonly deadline: Resource
}

export function scalingGroup(api: Api, { name, input, end, signal }: ScalingParams): ScalingGroup {
  let made: Ensured = 'found'
  const group: Resource = {
    kind: 'group',
    name,
    async ensure() {
      signal.throwIfAborted()
      const created = await api
        .unless(THERE, `create group ${name}`, () => api.autoScaling.send(new CreateAutoScalingGroupCommand(input)))
        .catch((error: unknown) => {
          throw isYoung(error) ? new RemoteError(messageOf(error), { cause: error, retryable: true }) : error
        })
      made = created ? 'created' : 'found'
      return made
    },
    remove: async () => removeGroup(api, name),
  }
  return { group, deadline: deadlineSwitch(api, { name, end, signal, made: () => made }) }
}

/** It lacks a role, template or security group that was just made, and is not known everywhere yet. */
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
  // A group has a status only while it is being deleted.
  if (there.Status !== undefined) return 'pending'
  const outcome = await deleteGroup(api, name, { force: true })
  if (outcome !== 'removed') return outcome
  return (there.Instances ?? []).length === 0 || !(await describeGroup(api, name)) ? 'removed' : 'pending'
}

/** Without force, AWS deletes the group only if it has no machines, and then at once. */
async function deleteGroup(api: Api, name: string, { force }: { readonly force: boolean }): Promise<Removed> {
  const command = new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: name, ForceDelete: force })
  const answer = await api.unless(BUSY, `remove group ${name}`, async () => ({ there: await ifThere(api.autoScaling.send(command)) }))
  if (!answer) return 'pending'
  return answer.there ? 'removed' : 'absent'
}

/** The answer of a call about a group; `undefined`: there is no such group. The vendor has no code for that, only a sentence. */
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
    let isFirst = true
    const remove = async (): Promise<Removed> => {
      // Its machines are usually gone by now, and then one call is enough.
      const outcome = isFirst ? await deleteGroup(api, name, { force: false }) : 'pending'
      isFirst = false
      return outcome === 'pending' ? removeGroup(api, name) : outcome
    }
    return { kind: 'group', name, ensure: async () => 'found', remove }
  })
}
