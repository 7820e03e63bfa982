/** The stages in which a group is created: six rounds of calls until its machines start. Everything is named and tagged for one incarnation. */
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
import { inputsOf, type TemplateParams, templateData } from './template.ts'

export function blueprintOf(api: Api, params: TemplateParams, signal: AbortSignal): Resource[][] {
  const { spec, settings, placement } = params
  const name = groupName(spec.tags)
  const tags = plainTags(spec.tags)
  const identity = identityOf(api, {
    of: spec.tags,
    ...(spec.permissionSet !== undefined && { permissionSet: spec.permissionSet }),
    ...(settings.boundary !== undefined && { boundary: settings.boundary }),
    tags,
    bucket: async () => bucketOf(spec.store),
    data: settings.data.map(bucketOf),
    image: repositoryOf(spec.container ?? ''),
    twin: spec.spot.want === 'prefer',
    signal,
  })
  const named = settings.securityGroups
  const own =
    named.length > 0 ? undefined : securityGroup(api, { name, vpc: async () => placement.vpc, tags, together: spec.tags.count > 1, signal })
  // The image is looked up during the first stage.
  let root: Promise<BootImage> | undefined
  const image = async (): Promise<BootImage> => (root ??= bootImageOf(api, placement.imageId, placement.arch))
  const template = launchTemplate(api, {
    name,
    data: async () => templateData(params, await image(), identity, own ? [own.id()] : named),
    tags,
    signal,
  })
  const end = hardDeadline(spec.tags.lifetime)
  const groups = inputsOf(params).map((input) =>
    scalingGroup(api, { name: input.AutoScalingGroupName, input: async () => input, end, signal }),
  )
  return [
    [...identity.first, ...(own ? [own.first] : [])].map((resource) => beside(resource, image)),
    [...identity.second, ...(own?.second ?? []), template],
    groups.map(({ group }) => group),
    groups.map(({ off }) => off),
  ].filter((stage) => stage.length > 0)
}

/** Starts `ask` beside `resource` without waiting for it: the next stage, which needs its answer, also gets its error. */
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
 * Finds a run's leftovers by name, whether or not it still has machines. When the group is removed, its machines are gone, so no other
 * removal has to wait.
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
