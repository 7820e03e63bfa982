/**
 * The stages in which a group is created, all named for one incarnation: its template, which has the dead-man's switch, and the group at size 0.
 * With `spot: prefer`, there are two of each, and the twin's autoscaler.
 */
import { randomUUID } from 'node:crypto'
import type { CloudContext, Reference } from '../../core/cloud.ts'
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Removed, Resource } from '../../core/resource.ts'
import { hardDeadline } from '../../wire/lifetime.ts'
import { refusePast } from '../vm/deadline.ts'
import type { GroupKind } from '../vm/spot-standby.ts'
import type { Api } from './api.ts'
import { FailedOperation, GONE, THERE } from './errors.ts'
import { firewall, leftoverFirewall } from './firewall.ts'
import { groupName, twinName } from './names.ts'
import { leftover, operated, through } from './operation.ts'
import type { Autoscaler, InstanceGroupManager, InstanceTemplate, Operation } from './sdk.ts'
import { offPolicy } from './standby-schedule.ts'
import { groupInput, kindsOf, type TemplateParams, templateInput } from './template.ts'

const GROUP = 'group'
const AUTOSCALER = 'autoscaler'

/** Milliseconds for which something that was just made may not be known everywhere yet, though its operation is done. */
export const YOUNG = 20_000

export function blueprintOf(api: Api, params: TemplateParams, { signal, log }: Pick<CloudContext, 'signal' | 'log'>): Resource[][] {
  const name = groupName(params.spec.tags)
  const kinds = kindsOf(params.spec)
  const { mayRule = false } = params
  let rule = false
  const { network = '' } = params.placement.network
  // The firewall rules of another project's network (shared VPC) belong to that project.
  const ours = network.includes(`/${params.placement.project}/`) && params.spec.tags.count > 1
  const made = (): void => {
    rule = true
  }
  const rules = ours ? [firewall(api, { name, network, signal, warn: log.warn, made })] : []
  const templates = kinds.map((kind) => templateOf(api, kind, () => ({ ...params, rule: rule || (ours && mayRule) }), signal))
  const [, twin] = kinds
  return [
    // A template says whether there is a rule, so it waits for the rule, unless the caller may make one: then the template says so in advance. If
    // that turns out wrong (no quota for the rule), the removal only makes one useless call.
    ...(mayRule ? [[...rules, ...templates]] : [rules, templates]),
    kinds.map((kind) => groupOf(api, kind, params, signal)),
    // Before any machine starts: if the caller may not make it, everything can still be undone.
    twin ? [autoscalerOf(api, twin, params, signal)] : [],
  ].filter((stage) => stage.length > 0)
}

function templateOf(api: Api, kind: GroupKind, planned: () => TemplateParams, signal: AbortSignal): Resource {
  const { name } = kind
  // Whether to ask for an early notice: some projects and types do not support it.
  let early = true
  const withoutNotice = (error: unknown): boolean => {
    const refused = early && isNoticeRefused(error)
    if (refused) early = false
    return refused
  }
  return operated(api, {
    kind: 'template',
    name,
    signal,
    insert: async (requestId) => {
      const params = planned()
      refusePast(`template ${name}`, hardDeadline(params.spec.tags.lifetime))
      const insert = async (id: string): Promise<Operation | undefined> =>
        api.unless(THERE, 'compute:regionInstanceTemplates.insert', `create template ${name}`, {
          query: { requestId: id },
          body: templateInput({ ...params, early }, kind),
        })
      return insert(requestId).catch(async (error: unknown) => {
        if (!withoutNotice(error)) throw error
        return insert(randomUUID())
      })
    },
    otherwise: withoutNotice,
    find: async () => findTemplate(api, name),
    erase: eraseTemplate(api, name),
  })
}

/** The refusal may be an answer, or a failed operation. */
function isNoticeRefused(error: unknown): boolean {
  return (error instanceof InputError || error instanceof FailedOperation) && /preemptionNotice/i.test(error.message)
}

function groupOf(api: Api, kind: GroupKind, params: TemplateParams, signal: AbortSignal): Resource {
  const { name } = kind
  const body = groupInput(params, kind)
  return operated(api, {
    kind: GROUP,
    name,
    signal,
    insert: async (requestId) =>
      api.unless(THERE, 'compute:regionInstanceGroupManagers.insert', `create group ${name}`, { query: { requestId }, body }),
    followsNamesake: true,
    find: async () => findGroup(api, name),
    erase: eraseGroup(api, name),
  })
}

/** The twin's autoscaler: it does nothing until it gets a date (`standby-schedule.ts`). */
function autoscalerOf(api: Api, { name }: GroupKind, { spec: { tags }, placement }: TemplateParams, signal: AbortSignal): Resource {
  const target = `projects/${placement.project}/regions/${placement.region}/instanceGroupManagers/${name}`
  const body = { name, target, autoscalingPolicy: offPolicy(tags.count) }
  return operated(api, {
    kind: AUTOSCALER,
    name,
    signal,
    insert: async (requestId) =>
      api.unless(THERE, 'compute:regionAutoscalers.insert', `create ${AUTOSCALER} ${name}`, { query: { requestId }, body }),
    followsNamesake: true,
    find: async () => findAutoscaler(api, name),
    erase: eraseAutoscaler(api, name),
  })
}

export async function findAutoscaler(api: Api, name: string): Promise<Autoscaler | undefined> {
  return api.unless(GONE, 'compute:regionAutoscalers.get', `look for the ${AUTOSCALER} ${name}`, { path: { autoscaler: name } })
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

const eraseAutoscaler = (api: Api, name: string) => async (): Promise<Operation | undefined> =>
  api.unless(GONE, 'compute:regionAutoscalers.delete', `remove ${AUTOSCALER} ${name}`, {
    path: { autoscaler: name },
    query: { requestId: randomUUID() },
  })

const eraseTemplate = (api: Api, name: string) => async (): Promise<Operation | undefined> =>
  api.unless(GONE, 'compute:regionInstanceTemplates.delete', `remove template ${name}`, {
    path: { instanceTemplate: name },
    query: { requestId: randomUUID() },
  })

/** Removes the twin's autoscaler, so that nothing can start the twin any more: only the maker could make another one. */
export async function silence(api: Api, name: string): Promise<void> {
  const operation = await eraseAutoscaler(api, name)()
  if (operation) await through(api, `remove ${AUTOSCALER} ${name}`, operation)
}

/**
 * Removes the group with its machines. The vendor deletes them first, and the operation lasts until they are gone (that of a resize does not).
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers/delete · .../regionInstanceGroupManagers/resize
 */
export function wholeGroup(api: Api, of: Reference): Resource {
  const twin = wholeTwin(api, of)
  return together(leftGroup(api, groupName(of)), {
    ...twin,
    // A caller without the rights for a twin can remove a deployment that has none.
    remove: async () => ((await findGroup(api, twin.name)) ? twin.remove() : 'absent'),
  })
}

const leftGroup = (api: Api, name: string): Resource => leftover(api, { kind: GROUP, name, erase: eraseGroup(api, name) })

function wholeTwin(api: Api, of: Reference): Resource {
  const name = twinName(of)
  return afterwards(leftover(api, { kind: AUTOSCALER, name, erase: eraseAutoscaler(api, name) }), leftGroup(api, name))
}

/**
 * The last stage is removed first: the groups, because a template can be removed only when no group uses it. The first group's template goes last,
 * because only it says that there is a rule.
 */
export async function leftoversOf(api: Api, of: Reference): Promise<Resource[][]> {
  const [name, other] = [groupName(of), twinName(of)]
  const sought = findTemplate(api, name)
  const noted = sought.then((found) => found?.properties?.tags?.items?.includes(name) === true)
  const [first, second, group, twin, rule] = await Promise.all([
    sought,
    findTemplate(api, other),
    findGroup(api, name),
    findGroup(api, other),
    leftoverFirewall(api, name, noted),
  ])
  const last = first && leftTemplate(api, name)
  const [stays, goes] = last && rule ? inOrder(last, rule) : [last, rule]
  const groups = [group && leftGroup(api, name), twin && wholeTwin(api, of)]
  return [[stays], [goes, second && leftTemplate(api, other)], groups]
    .map((stage) => stage.filter((one) => one !== undefined))
    .filter((stage) => stage.length > 0)
}

const leftTemplate = (api: Api, name: string): Resource => leftover(api, { kind: 'template', name, erase: eraseTemplate(api, name) })

/** Removes the first, then the second, as one resource with the second's name. */
function afterwards(first: Resource, second: Resource): Resource {
  let gone = false
  return {
    ...second,
    remove: async () => {
      gone ||= (await first.remove()) !== 'pending'
      return gone ? second.remove() : 'pending'
    },
  }
}

/** Removes both at the same time, under the name of the first. */
function together(first: Resource, second: Resource): Resource {
  const gone = new Map<Resource, Removed>()
  const remove = async (one: Resource): Promise<Removed> => {
    const removed = gone.get(one) ?? (await one.remove())
    if (removed !== 'pending') gone.set(one, removed)
    return removed
  }
  return {
    ...first,
    remove: async () => {
      const all = await Promise.all([first, second].map(remove))
      return (['pending', 'removed'] as const).find((one) => all.includes(one)) ?? 'absent'
    },
  }
}

/** Makes the first refuse its removal until the second is gone. */
function inOrder(first: Resource, second: Resource): readonly [Resource, Resource] {
  let gone = false
  const stays: Resource = {
    ...first,
    remove: async () => {
      if (!gone) throw new RemoteError(`it is removed after ${second.kind} ${second.name}, which is still there`)
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
