/** Taints of nodes, and the tolerations by which pods go there all the same. */

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
}

export interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
}

export function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false
  if (operator === 'Exists') return !key || key === taint.key
  return key === taint.key && value === (taint.value ?? '')
}
