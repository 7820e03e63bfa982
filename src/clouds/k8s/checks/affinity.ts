/** What a pod requires of its node by expressions, as the scheduler reads it (https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/). */
import type { Meta } from '../objects.ts'

export interface Requirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

export interface Term {
  readonly matchExpressions?: readonly Requirement[]
  readonly matchFields?: readonly Requirement[]
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms?: readonly Term[] }
}

/** One term is enough; in a term all must hold, and one that says nothing fits no node. */
export function accepts(affinity: NodeAffinity | undefined, { name, labels = {} }: Pick<Meta, 'name' | 'labels'>): boolean {
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution
  if (!required) return true
  return (required.nodeSelectorTerms ?? []).some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false
    // There is but one field.
    return matchExpressions.every((one) => holds(one, labels[one.key])) && matchFields.every((one) => holds(one, name))
  })
}

const OPERATORS: Readonly<Record<string, (value: string | undefined, values: readonly string[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [limit]) => Number(value) > Number(limit),
  Lt: (value, [limit]) => Number(value) < Number(limit),
}

function holds({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  return OPERATORS[operator]?.(value, values) ?? false
}
