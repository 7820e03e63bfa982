/** A deployment in the tags of its group: all its facts in pieces that only tpi reads, and a few plain tags for bills and consoles. */
import type { DeploymentTags } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { limitFaults } from '../../core/tag-limits.ts'
import type { LeftOut } from '../../core/tags.ts'
import { factsInTags, factTags, type Pairs, shownTags, TAG_VALUE } from '../vm/facts.ts'
import { TAG } from './names.ts'

/** Characters of a tag's name, and tags of one resource: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions */
const KEY = 128
const MOST = 50
/** Number of tpi's tags besides the pieces, with some room. */
const OURS = 8

/** Tags on everything that costs money or could be left behind, machines and disks included. */
export function plainTags(tags: DeploymentTags): Pairs {
  const { name, user } = tags
  // The console shows it first, so it is the run's name, unless the user sets another one.
  return { ...user, Name: user['Name'] ?? name, ...shownTags(tags, TAG) }
}

/** `undefined`: tpi did not make them, or they were edited. */
export const tagsOf = (pairs: Pairs, tell?: LeftOut): DeploymentTags | undefined => factsInTags(pairs, TAG, tell)

export function tagFaults(tags: DeploymentTags): Fault[] {
  const most = MOST - OURS - Object.keys(factTags(tags, TAG)).length
  return limitFaults(tags.user, { title: 'AWS', reserved: /^(?:aws|tpi):/i, name: KEY, value: TAG_VALUE, most: Math.max(most, 0) })
}

/** Tags in the form of Auto Scaling, with all facts of the deployment; machines and their parts get theirs from the template. */
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

/** Tags in the form of EC2 and IAM. */
export function pairsOf(tags: Pairs): { Key: string; Value: string }[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}
