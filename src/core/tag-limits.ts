/** What a cloud takes of the user's own tags: each says its limits, and all of them are reported in the same words. */
import { listed, quoted } from '../lib/text.ts'
import type { Fault } from './errors.ts'

interface TagLimits {
  /** For people: who sets them. */
  readonly title: string
  /** Names that others look for things by. */
  readonly reserved: RegExp
  /** Characters of a name and of a value; absent: the pattern, or `bytes`, says it. */
  readonly name?: number
  readonly value?: number
  /** What a name looks like, where not any will do, and how to write one. */
  readonly pattern?: { readonly name: RegExp; readonly hint: string }
  /** Tags of the user that fit beside those of tpi. */
  readonly most?: number
}

/** All that is wrong, one for each name. */
export function limitFaults(user: Readonly<Record<string, string>>, limits: TagLimits): Fault[] {
  const { title, most = Number.POSITIVE_INFINITY } = limits
  const fault = (message: string, hint: string): Fault => ({ option: 'tags', message, hint })
  const faults = Object.entries(user).flatMap(([name, value]) => {
    const wrong = wrongWith(name, value, limits)
    return wrong ? [fault(...wrong)] : []
  })
  const count = Object.keys(user).length
  if (count <= most) return faults
  return [...faults, fault(`${count} are more than ${title} takes in addition to those of tpi`, `give at most ${most}`)]
}

function wrongWith(name: string, value: string, limits: TagLimits): readonly [message: string, hint: string] | undefined {
  const { title, reserved, pattern } = limits
  if (reserved.test(name)) return [`${quoted(name)} is reserved for ${title} or for tpi`, 'use another name']
  if (name === '') return [`the value ${quoted(value)} has no name`, 'write NAME=VALUE']
  const long = (text: string, most = Number.POSITIVE_INFINITY): boolean => text.length > most
  if (long(name, limits.name) || long(value, limits.value)) {
    const allowed = [limits.name && `a name has at most ${limits.name} characters`, limits.value && `a value ${limits.value}`]
    return [
      `${quoted(name)} or its value is longer than ${title} allows`,
      listed(
        allowed.filter((one) => typeof one === 'string'),
        'and',
      ),
    ]
  }
  if (pattern && !pattern.name.test(name)) return [`${quoted(name)} is not a valid name of a tag on ${title}`, pattern.hint]
  return undefined
}
