/**
 * The stages in which a group is created: its identity and security group, its template, the group at size 0, and its dead-man's switch. Everything
 * is named and tagged for one incarnation.
 */
import type { Reference } from '../../core/cloud.ts'
import type { Resource } from '../../core/resource.ts'
import { hardDeadline } from '../../wire/lifetime.ts'
import type { Api } from './api.ts'
import { leftoverGroups, scalingGroup } from './group.ts'
import { identityOf, leftoverRole } from './identity.ts'
import { repositoryOf } from './image-registry.ts'
import { launchTemplate, leftoverLaunchTemplate } from './launch-template.ts'
import { groupName, twinName } from './names.ts'
import { type BootImage, bootImageOf } from './placement.ts'
import { bucketOf } from './policy.ts'
import { leftoverSecurityGroup, securityGroup } from './security-group.ts'
import { plainTags } from './tags.ts'
import { groupInput, kindsOf, type TemplateParams, templateData } from './template.ts'

export function blueprintOf(api: Api, params: TemplateParams, signal: AbortSignal): Resource[][] {
  const { spec, settings, placement } = params
  const name = groupName(spec.tags)
  const tags = plainTags(spec.tags)
  const identity = identityOf(api, {
    of: spec.tags,
    ...(spec.permissionSet !== undefined && { permissionSet: spec.permissionSet }),
    ...(settings.boundary !== undefined && { boundary: settings.boundary }),
    tags,
    bucket: bucketOf(spec.store),
    data: settings.data.map(bucketOf),
    image: repositoryOf(spec.container ?? ''),
    twin: spec.spot.want === 'prefer',
    signal,
  })
  const named = settings.securityGroups
  const own = named.length > 0 ? undefined : securityGroup(api, { name, vpc: placement.vpc, tags, together: spec.tags.count > 1, signal })
  // Looked up beside the first stage, once.
  let root: Promise<BootImage> | undefined
  const image = async (): Promise<BootImage> => (root ??= bootImageOf(api, placement.imageId, placement.arch))
  const template = launchTemplate(api, {
    name,
    data: async () => templateData(params, await image(), identity, own ? [own.id()] : named),
    tags,
    signal,
  })
  const end = hardDeadline(spec.tags.lifetime)
  const groups = kindsOf(spec).map((kind) => scalingGroup(api, { name: kind.name, input: groupInput(params, kind), end, signal }))
  return [
    [...identity.first, ...(own ? [own.first] : [])].map((resource) => beside(resource, image)),
    [...identity.second, ...(own?.second ?? []), template],
    groups.map(({ group }) => group),
    groups.map(({ deadline }) => deadline),
  ].filter((stage) => stage.length > 0)
}

/** Starts `ask` with `resource`, without waiting for it. The next stage needs the answer, so it also gets the error. */
function beside(resource: Resource, ask: () => Promise<unknown>): Resource {
  return {
    ...resource,
    async ensure() {
      ask().catch(() => undefined)
      return resource.ensure()
    },
  }
}

/**
 * Everything of this incarnation that exists, found by name, also while it still has machines. One stage is enough: when its parts are
 * removed, its machines are gone.
 */
export async function leftoversOf(api: Api, of: Reference): Promise<Resource[][]> {
  const name = groupName(of)
  const found = await Promise.all([
    leftoverRole(api, of),
    leftoverSecurityGroup(api, name),
    leftoverLaunchTemplate(api, name),
    leftoverGroups(api, [name, twinName(of)]),
  ])
  const all = found.flat()
  return all.length === 0 ? [] : [all]
}
