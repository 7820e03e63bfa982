/** Every deployment of an account in one region: tags of groups identify them, sizes of groups tell whether something runs. */
import type { Found } from '../../core/cloud.ts'
import type { LeftOut } from '../../core/tags.ts'
import { pagesOf } from '../vm/pages.ts'
import type { Api } from './api.ts'
import { groupName, TAG, twinName } from './names.ts'
import { type AutoScalingGroup, DescribeAutoScalingGroupsCommand } from './sdk.ts'
import { tagsOf } from './tags.ts'

export async function foundGroups(api: Api, tell: LeftOut): Promise<readonly Found[]> {
  const ask = async (NextToken: string | undefined) => {
    const asked = { Filters: [{ Name: 'tag-key', Values: [TAG.id] }], MaxRecords: 100, NextToken }
    return api.call(`look for groups in ${api.region}`, () => api.autoScaling.send(new DescribeAutoScalingGroupsCommand(asked)))
  }
  const groups: AutoScalingGroup[] = []
  for await (const page of pagesOf(ask, ({ NextToken }) => NextToken)) groups.push(...(page.AutoScalingGroups ?? []))
  return foundIn(groups, tell)
}

/** Deployments by their groups. Anybody can write tags. The group's name says the same, and only its maker can have given it. */
function foundIn(groups: readonly AutoScalingGroup[], tell: LeftOut): Found[] {
  const found = new Map<string, Found>()
  for (const { AutoScalingGroupName: called = '', Tags = [], DesiredCapacity = 0, Instances = [] } of groups) {
    const tags = tagsOf(Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value])), tell)
    if (!tags || (called !== groupName(tags) && called !== twinName(tags))) continue
    const name = groupName(tags)
    const up = DesiredCapacity > 0 || Instances.length > 0 || found.get(name)?.phase === 'up'
    found.set(name, { tags, phase: up ? 'up' : 'stopped' })
  }
  return [...found.values()]
}
