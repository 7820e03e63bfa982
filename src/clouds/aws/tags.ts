/** A deployment in the tags of its group: all of it in pieces that only we read, and beside that what a bill or a console can show. */
import type { DeploymentTags } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { limitFaults } from '../../core/tag-limits.ts'
import { factsInTags, factTags, type Pairs, shownTags, TAG_VALUE } from '../vm/facts.ts'
import { TAG } from './names.ts'

/** Characters of a name, tags of one thing: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions */
const KEY = 128
const MOST = 50
/** Of ours besides the pieces, with some room. */
const OURS = 8

/** On everything that costs something or could be left behind, machines and disks included. */
export function plainTags(tags: DeploymentTags): Pairs {
  const { name, user } = tags
  // The first column of the console, unless the user sets another name.
  return { ...user, Name: user['Name'] ?? name, ...shownTags(tags, TAG) }
}

/** `undefined`: tpi did not make them, or they were edited. */
export const tagsOf = (pairs: Pairs): DeploymentTags | undefined => factsInTags(pairs, TAG)

export function tagFaults(tags: DeploymentTags): Fault[] {
  const most = MOST - OURS - Object.keys(factTags(tags, TAG)).length
  return limitFaults(tags.user, { title: 'AWS', reserved: /^(?:aws|tpi):/i, name: KEY, value: TAG_VALUE, most: Math.max(most, 0) })
}

/** As Auto Scaling wants them, all that is known of the deployment among them; machines and what belongs to them get theirs by the template. */
export function groupTags(
  name: string,
  tags: DeploymentTags,
): { Key: string; Value: string; ResourceId: string; ResourceType: string; PropagateAtLaunch: boolean }[] {
  return Object.entries({ ...plainTags(tags), ...factTags(tags, TAG) }).map(([Key, Value]) => ({
    Key,
    Value,
    ResourceId: name,
    ResourceType: 'auto-scaling-group',
    PropagateAtLaunch: false,
  }))
}

/** As EC2 and IAM want them. */
export function pairsOf(tags: Pairs): { Key: string; Value: string }[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}
