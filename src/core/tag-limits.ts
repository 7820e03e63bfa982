/** Which of the user's own tags a cloud accepts: each cloud states its limits, and all are refused in the same words. */
import { listed, quoted } from '../lib/text.ts'
import type { Fault } from './errors.ts'
import { USER_TAGS } from './tags.ts'

interface TagLimits {
  /** Whose limits they are, for people. */
  readonly title: string
  /** Names that tpi or the cloud uses itself. */
  readonly reserved?: RegExp
  /** Characters of a name, at most; absent: as many as the pattern allows, or `USER_TAGS`. */
  readonly name?: number
  /** The same of a value. */
  readonly value?: number
  /** What a name must look like, and how to write one; absent: any name is allowed. */
  readonly pattern?: { readonly name: RegExp; readonly hint: string }
  /** Names that differ only in upper and lower case are the same. */
  readonly caseless?: boolean
  /** How many tags of the user fit beside those of tpi. */
  readonly most?: number
}

/** The faults of these tags: one for each name, and one if there are too many. */
export function limitFaults(user: Readonly<Record<string, string>>, limits: TagLimits): Fault[] {
  const { title, most = USER_TAGS.most } = limits
  const fault = (message: string, hint: string): Fault => ({ option: 'tags', message, hint })
  const names = Object.keys(user)
  const faults = Object.entries(user).flatMap(([name, value], at) => {
    const twin = limits.caseless && names.slice(0, at).find((other) => other.toLowerCase() === name.toLowerCase())
    if (twin) return [fault(`${quoted(twin)} and ${quoted(name)} are the same name on ${title}`, 'give one of them')]
    const wrong = wrongWith(name, value, limits)
    return wrong ? [fault(...wrong)] : []
  })
  const count = names.length
  if (count <= most) return faults
  return [...faults, fault(`${count} are more than ${title} takes in addition to those of tpi`, `give at most ${most}`)]
}

function wrongWith(name: string, value: string, limits: TagLimits): readonly [message: string, hint: string] | undefined {
  const { title, reserved, pattern } = limits
  if (reserved?.test(name)) return [`${quoted(name)} is reserved for ${title} or for tpi`, 'use another name']
  if (name === '') return [`the value ${quoted(value)} has no name`, 'write NAME=VALUE']
  if (/\p{Cc}/u.test(name)) return [`${quoted(name)} is not one line of text`, 'leave out line ends and control characters']
  const most = { ...USER_TAGS, ...limits }
  if (name.length > most.name || value.length > most.value) {
    const ofName = pattern && limits.name === undefined ? [] : [`a name has at most ${most.name} characters`]
    return [`${quoted(name)} or its value is longer than ${title} allows`, listed([...ofName, `a value has at most ${most.value}`], 'and')]
  }
  if (pattern && !pattern.name.test(name)) return [`${quoted(name)} is not a valid name of a tag on ${title}`, pattern.hint]
  return undefined
}
