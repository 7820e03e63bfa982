/** A deployment in the tags of all that is made for it: what a bill or a console can show, and beside that all of it in pieces that only we read. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { DeploymentTags } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { limitFaults } from '../../core/tag-limits.ts'
import { hardDeadline } from '../../wire/spec.ts'
import { factsIn, factsOf } from '../vm/facts.ts'
import { TAG } from './names.ts'

type Pairs = Readonly<Record<string, string>>

/** https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations */
const VALUE = 256
const KEY = 512
const MOST = 50
/** What the pieces may grow to when they are read: a tag that somebody else wrote is not believed. */
const FACTS = 64 * 1024

export function tagsFor(tags: DeploymentTags): Pairs {
  const { id, incarnation, name, mode, lifetime, user } = tags
  return {
    ...user,
    [TAG.id]: id,
    [TAG.incarnation]: incarnation,
    [TAG.name]: name,
    [TAG.mode]: mode,
    [TAG.until]: new Date(hardDeadline(lifetime)).toISOString(),
    ...Object.fromEntries(pieces(tags).map((piece, at) => [`${TAG.facts}${at}`, piece])),
  }
}

function pieces(tags: DeploymentTags): readonly string[] {
  const packed = deflateRawSync(factsOf(tags)).toString('base64url')
  return packed.match(new RegExp(`.{1,${VALUE}}`, 'g')) ?? []
}

/** `undefined`: none of ours, or somebody has edited them. Names of tags come back in any case. */
export function tagsOf(pairs: Pairs = {}): DeploymentTags | undefined {
  const plain = Object.fromEntries(Object.entries(pairs).map(([key, value]) => [key.toLowerCase(), value]))
  const found: string[] = []
  for (let at = 0; plain[`${TAG.facts}${at}`] !== undefined; at += 1) found.push(plain[`${TAG.facts}${at}`] ?? '')
  if (found.length === 0) return undefined
  const unpacked = (): string => inflateRawSync(Buffer.from(found.join(''), 'base64url'), { maxOutputLength: FACTS }).toString('utf8')
  return factsIn(unpacked, { id: plain[TAG.id], incarnation: plain[TAG.incarnation] })
}

export function tagFaults(tags: DeploymentTags): Fault[] {
  const ours = Object.keys(tagsFor(tags)).length - Object.keys(tags.user).length
  return limitFaults(tags.user, {
    title: 'Azure',
    reserved: /^(?:tpi-|hidden-|microsoft|azure|windows)/i,
    name: KEY,
    value: VALUE,
    pattern: { name: /^[^<>%&\\?/]+$/, hint: 'leave out < > % & \\ ? and /' },
    most: Math.max(MOST - ours, 0),
  })
}
