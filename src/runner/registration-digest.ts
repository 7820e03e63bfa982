/**
 * A digest of where runners register, and of how they are started again. It is in the tags of the group, which its machines cannot write,
 * so it can confirm what records say.
 */
import { sorted } from '../lib/record.ts'
import { sha256 } from '../lib/sha256.ts'
import type { Registry } from '../wire/records.ts'

/** What a record says about runners. Without `again`, it only says where they register. */
export interface RecordedRunners extends Registry {
  readonly again?: { readonly labels: readonly string[]; readonly request: object }
}

/** Two digests, because not every record has both. */
export function registrationDigest(recorded: Required<RecordedRunners>): string {
  return `${digestOf({ forge: recorded.forge, scope: recorded.scope })}.${digestOf(recorded)}`
}

/** Whether one of these tags confirms the record. */
export function matchesDigest(tags: readonly string[], recorded: RecordedRunners): boolean {
  const digest = digestOf(recorded)
  return tags.some((tag) => tag.split('.')[recorded.again ? 1 : 0] === digest)
}

export function isSamePlace(one: Registry, other: Registry): boolean {
  return digestOf({ forge: one.forge, scope: one.scope }) === digestOf({ forge: other.forge, scope: other.scope })
}

function digestOf({ forge, scope, again }: RecordedRunners): string {
  const text = JSON.stringify(sorted([forge, scope, again?.labels, again?.request]))
  return sha256(text).slice(0, 32)
}
