/** The stages in which a group comes into being: six rounds of calls until its machines start, all named and tagged for one incarnation. */
import type { Reference } from '../../core/cloud.ts'
import type { Resource } from '../../core/resource.ts'
import { hardDeadline } from '../../wire/spec.ts'
import type { Api } from './api.ts'
import { identityOf, leftoverRole } from './identity.ts'
import { repositoryOf } from './image-registry.ts'
import { groupName, twinName } from './names.ts'
import { type BootImage, bootImageOf } from './placement.ts'
import { bucketOf } from './policy.ts'
import { leftoverGroups, scalingGroup } from './resources/group.ts'
import { launchTemplate, leftoverLaunchTemplate } from './resources/launch-template.ts'
import { leftoverSecurityGroup, securityGroup } from './resources/security-group.ts'
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

/** `ask` is answered by the time that the next stage needs it; what it throws is thrown there. */
function beside(resource: Resource, ask: () => Promise<unknown>): Resource {
  return {
    ...resource,
    async ensure() {
      ask().catch(() => undefined)
      return resource.ensure()
    },
  }
}

/** Found by name, whether there still are machines or not. They are gone when it is removed, so that nothing of it waits for anything else. */
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
