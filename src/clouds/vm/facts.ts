/** A deployment as a text that a cloud keeps with its group: everything that is needed to handle it without any local file. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { DeploymentTags } from '../../core/cloud.ts'
import { type LeftOut, tagsIn, tagsText } from '../../core/tags.ts'
import { hardDeadline } from '../../wire/lifetime.ts'

/** Characters of a tag's value: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions; Azure allows as many. */
export const TAG_VALUE = 256
/** Bytes that the pieces may unpack to: somebody else may have written the tag, so it is not trusted. */
const UNPACKED = 64 * 1024

export type Pairs = Readonly<Record<string, string>>

/** Names of the tags with which a cloud describes a deployment. */
export interface TagNames {
  readonly id: string
  readonly incarnation: string
  /** Prefix of the names of the pieces; their numbers follow. */
  readonly facts: string
}

export type ShownNames = Readonly<Record<'id' | 'incarnation' | 'name' | 'mode' | 'until', string>>

/** Plain tags for a bill or a console. */
export function shownTags({ id, incarnation, name, mode, lifetime }: DeploymentTags, names: ShownNames): Pairs {
  return {
    [names.id]: id,
    [names.incarnation]: incarnation,
    [names.name]: name,
    [names.mode]: mode,
    [names.until]: new Date(hardDeadline(lifetime)).toISOString(),
  }
}

/** All facts, split into tags of limited size. */
export function factTags(tags: DeploymentTags, names: TagNames): Pairs {
  const packed = deflateRawSync(tagsText(tags)).toString('base64url')
  const pieces = packed.match(new RegExp(`.{1,${TAG_VALUE}}`, 'g')) ?? []
  return Object.fromEntries(pieces.map((piece, at) => [`${names.facts}${at}`, piece]))
}

/** `undefined`: tpi did not make them, or they were edited. */
export function factsInTags(pairs: Pairs, names: TagNames, tell?: LeftOut): DeploymentTags | undefined {
  const pieces: string[] = []
  for (let at = 0; pairs[`${names.facts}${at}`] !== undefined; at += 1) pieces.push(pairs[`${names.facts}${at}`] ?? '')
  if (pieces.length === 0) return undefined
  const unpacked = (): string => inflateRawSync(Buffer.from(pieces.join(''), 'base64url'), { maxOutputLength: UNPACKED }).toString('utf8')
  return factsIn(unpacked, { id: pairs[names.id], incarnation: pairs[names.incarnation] }, tell)
}

/**
 * `undefined`: somebody has edited it. `labelled`: id and incarnation as in the plain tags beside it, by which it was found: the facts must say the
 * same.
 */
export function factsIn(
  text: () => string,
  labelled: Readonly<Record<'id' | 'incarnation', string | undefined>>,
  tell?: LeftOut,
): DeploymentTags | undefined {
  const tags = tagsIn(text, (why) => tell?.(labelled.id, why))
  return tags?.id === labelled.id && tags?.incarnation === labelled.incarnation ? tags : undefined
}
