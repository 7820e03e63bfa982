/** A deployment in the tags of all its resources: a few plain tags for bills and consoles, and all its facts in pieces that only tpi reads. */
import type { DeploymentTags, Reference } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { limitFaults } from '../../core/tag-limits.ts'
import type { LeftOut } from '../../core/tags.ts'
import { factsInTags, factTags, type Pairs, shownTags, TAG_VALUE } from '../vm/facts.ts'
import { TAG } from './names.ts'

/**
 * Characters of a tag's name, and tags of one resource.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations
 */
const KEY = 512
const MOST = 50

export function tagsFor(tags: DeploymentTags): Pairs {
  return { ...tags.user, ...shownTags(tags, TAG), ...factTags(tags, TAG) }
}

/** Tags of what comes and goes with a machine: its deployment, and the user's tags, which a policy may require. */
export const marksOf = ({ id, incarnation, user }: Pick<DeploymentTags, 'id' | 'incarnation' | 'user'>): Pairs => ({
  ...user,
  [TAG.id]: id,
  [TAG.incarnation]: incarnation,
})

/** Azure may return names of tags in another case. */
export function isMarked(pairs: Pairs = {}, { id, incarnation }: Reference): boolean {
  const known = new Map(Object.entries(pairs).map(([key, value]) => [key.toLowerCase(), value]))
  return known.get(TAG.id) === id && known.get(TAG.incarnation) === incarnation
}

/** `undefined`: tpi did not make them, or they were edited. Azure may return names of tags in another case. */
export function tagsOf(pairs: Pairs = {}, tell?: LeftOut): DeploymentTags | undefined {
  return factsInTags(Object.fromEntries(Object.entries(pairs).map(([key, value]) => [key.toLowerCase(), value])), TAG, tell)
}

export function tagFaults(tags: DeploymentTags): Fault[] {
  // A set that has a twin has one more.
  const ours = Object.keys(tagsFor(tags)).length - Object.keys(tags.user).length + 1
  return limitFaults(tags.user, {
    title: 'Azure',
    reserved: /^(?:tpi-|hidden-|microsoft|azure|windows)/i,
    name: KEY,
    value: TAG_VALUE,
    caseless: true,
    pattern: { name: /^[^<>%&\\?/]+$/, hint: 'leave out < > % & \\ ? and /' },
    most: Math.max(MOST - ours, 0),
  })
}
