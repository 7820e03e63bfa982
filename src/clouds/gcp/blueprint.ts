/** The stages in which a group comes into being, all named for one incarnation: its template, which carries the switch, and the group at 0. */
import { randomUUID } from 'node:crypto'
import type { CloudContext, Reference } from '../../core/cloud.ts'
import { DeadlineError, InputError, RemoteError } from '../../core/errors.ts'
import type { Resource } from '../../core/resource.ts'
import { hardDeadline } from '../../wire/spec.ts'
import type { Api } from './api.ts'
import { GONE, THERE } from './errors.ts'
import { firewall, leftoverFirewall } from './firewall.ts'
import { groupName } from './names.ts'
import { leftover, operated, youngIf } from './operation.ts'
import type { InstanceGroupManager, InstanceTemplate, Operation } from './sdk.ts'
import { groupInput, type Plan, templateInput } from './template.ts'

const GROUP = 'group'

export function blueprintOf(api: Api, plan: Plan, { signal, log }: Pick<CloudContext, 'signal' | 'log'>): Resource[][] {
  const name = groupName(plan.spec.tags)
  const end = hardDeadline(plan.spec.tags.lifetime)
  let rule = false
  // A request that is sent again, because its answer was lost, is the same request.
  const [first, plain, second] = [randomUUID(), randomUUID(), randomUUID()]
  const insertTemplate = async (body: InstanceTemplate, requestId: string): Promise<Operation | undefined> =>
    api.unless(THERE, 'compute:regionInstanceTemplates.insert', `create template ${name}`, { query: { requestId }, body })
  const template = operated(api, {
    kind: 'template',
    name,
    signal,
    insert: async () => {
      if (end <= Date.now()) throw new DeadlineError(`template ${name} is past its hard deadline ${new Date(end).toISOString()}`)
      return insertTemplate(templateInput({ ...plan, rule }), first).catch(async (error: unknown) => {
        // Not every project and type has it.
        if (!(error instanceof InputError) || !/preemptionNotice/i.test(error.message)) throw error
        return insertTemplate(templateInput({ ...plan, early: false, rule }), plain)
      })
    },
    find: async () => findTemplate(api, name),
    erase: eraseTemplate(api, name),
  })
  const group = operated(api, {
    kind: GROUP,
    name,
    signal,
    insert: async () =>
      api
        .unless(THERE, 'compute:regionInstanceGroupManagers.insert', `create group ${name}`, {
          query: { requestId: second },
          body: groupInput(plan),
        })
        .catch(youngIf(name)),
    find: async () => findGroup(api, name),
    erase: eraseGroup(api, name),
  })
  const { network = '' } = plan.placement.network
  // A network of another project (shared VPC) has its rules there.
  const ours = network.includes(`/${plan.placement.project}/`) && plan.spec.tags.count > 1
  const made = (): void => void (rule = true)
  // The rule first: the template says whether it was made.
  return [...(ours ? [[firewall(api, { name, network, signal, warn: log.warn, made })]] : []), [template], [group]]
}

export async function findGroup(api: Api, name: string): Promise<InstanceGroupManager | undefined> {
  return api.unless(GONE, 'compute:regionInstanceGroupManagers.get', `look for group ${name}`, { path: { instanceGroupManager: name } })
}

export async function findTemplate(api: Api, name: string): Promise<InstanceTemplate | undefined> {
  return api.unless(GONE, 'compute:regionInstanceTemplates.get', `look for template ${name}`, { path: { instanceTemplate: name } })
}

const eraseGroup = (api: Api, name: string) => async (): Promise<Operation | undefined> =>
  api.unless(GONE, 'compute:regionInstanceGroupManagers.delete', `remove group ${name}`, {
    path: { instanceGroupManager: name },
    query: { requestId: randomUUID() },
  })

const eraseTemplate = (api: Api, name: string) => async (): Promise<Operation | undefined> =>
  api.unless(GONE, 'compute:regionInstanceTemplates.delete', `remove template ${name}`, {
    path: { instanceTemplate: name },
    query: { requestId: randomUUID() },
  })

/**
 * With its machines: the vendor deletes them first, and unlike that of a change of size its operation lasts until they are gone.
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers/delete · .../regionInstanceGroupManagers/resize
 */
export function wholeGroup(api: Api, of: Reference): Resource {
  const name = groupName(of)
  return leftover(api, { kind: GROUP, name, erase: eraseGroup(api, name) })
}

/** The group first: nothing lets go of its template before. That goes last: it says that there is a rule. */
export async function leftoversOf(api: Api, of: Reference): Promise<Resource[][]> {
  const name = groupName(of)
  const sought = findTemplate(api, name)
  const noted = sought.then((found) => found?.properties?.tags?.items?.includes(name) === true)
  const [template, group, rule] = await Promise.all([sought, findGroup(api, name), leftoverFirewall(api, name, noted)])
  const last = template && leftover(api, { kind: 'template', name, erase: eraseTemplate(api, name) })
  const [stays, goes] = last && rule ? inOrder(last, rule) : [last, rule]
  return [stays, goes, group && wholeGroup(api, of)].flatMap((one) => (one ? [[one]] : []))
}

/** The first stays while the second is there. */
function inOrder(first: Resource, second: Resource): readonly [Resource, Resource] {
  let gone = false
  const stays: Resource = {
    ...first,
    remove: async () => {
      if (!gone) throw new RemoteError(`it stays as long as ${second.kind} ${second.name}, which is found by it`)
      return first.remove()
    },
  }
  const goes: Resource = {
    ...second,
    remove: async () => {
      const removed = await second.remove()
      gone = removed !== 'pending'
      return removed
    },
  }
  return [stays, goes]
}
