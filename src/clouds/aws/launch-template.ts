/** The launch template, from which each machine of a group is made. */
import type { Removed, Resource } from '../../core/resource.ts'
import type { Api } from './api.ts'
import { Youth } from './eventual-consistency.ts'
import {
  CreateLaunchTemplateCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplatesCommand,
  type RequestLaunchTemplateData,
} from './sdk.ts'
import { pairsOf } from './tags.ts'

const THERE = /^InvalidLaunchTemplateName\.AlreadyExistsException$/
const GONE = /^InvalidLaunchTemplate(?:Name|Id)\.(?:NotFoundException|NotFound)$/

export interface TemplateParams {
  readonly name: string
  readonly data: () => Promise<RequestLaunchTemplateData>
  readonly tags: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export function launchTemplate(api: Api, { name, data, tags, signal }: TemplateParams): Resource {
  const youth = new Youth()
  return {
    kind: 'launch template',
    name,
    async ensure() {
      signal.throwIfAborted()
      const command = new CreateLaunchTemplateCommand({
        LaunchTemplateName: name,
        LaunchTemplateData: await data(),
        TagSpecifications: [{ ResourceType: 'launch-template', Tags: pairsOf(tags) }],
      })
      const made = await youth.making(() => api.unless(THERE, `create launch template ${name}`, () => api.ec2.send(command)))
      return made ? 'created' : 'found'
    },
    remove: async () => youth.doubt(name, await removeTemplate(api, name)),
  }
}

async function removeTemplate(api: Api, name: string): Promise<Removed> {
  return api.remove(`remove launch template ${name}`, { gone: GONE, isThere: async () => isThere(api, name) }, async () =>
    api.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateName: name })),
  )
}

async function isThere(api: Api, name: string): Promise<boolean> {
  const found = await api.unless(GONE, `look for launch template ${name}`, () =>
    api.ec2.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: [name] })),
  )
  return Boolean(found?.LaunchTemplates?.length)
}

export async function leftoverLaunchTemplate(api: Api, name: string): Promise<Resource[]> {
  if (!(await isThere(api, name))) return []
  return [{ kind: 'launch template', name, ensure: async () => 'found', remove: async () => removeTemplate(api, name) }]
}
