/** For the tags of a group, which its machines cannot write: where its runners register, and what they are when they are started again. */
import { createHash } from 'node:crypto'
import type { Registry } from '../wire/records.ts'

/** As a record has it; without `again` it is about where they register alone. */
export interface RunnersSaid extends Registry {
  readonly again?: { readonly labels: readonly string[]; readonly request: object }
}

/** Two digests, for not every record says all of it. */
export function promiseOf(said: Required<RunnersSaid>): string {
  return `${digestOf({ forge: said.forge, scope: said.scope })}.${digestOf(said)}`
}

/** Whether one of these promises is about what is said. */
export function isPromised(promises: readonly string[], said: RunnersSaid): boolean {
  const digest = digestOf(said)
  return promises.some((promise) => promise.split('.')[said.again ? 1 : 0] === digest)
}

export function isSamePlace(one: Registry, other: Registry): boolean {
  return digestOf({ forge: one.forge, scope: one.scope }) === digestOf({ forge: other.forge, scope: other.scope })
}

function digestOf({ forge, scope, again }: RunnersSaid): string {
  const text = JSON.stringify([forge, scope, again?.labels, again?.request], inOrder)
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Who reads a record may put its fields together anew. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
