/** Operations: what a vendor still does after its answer. An operation succeeds, or ends with an error of its own. */
import type { Ensured, Removed, Resource } from '../../core/resource.ts'

/** Milliseconds between two looks at something slow. */
const PACE = 1000

/** Operations of one vendor. */
export interface Operations<O extends object> {
  /** Throws the error that the operation ended with. */
  isOver(operation: O, tried: string, signal?: AbortSignal): Promise<boolean>
  errorOf(error: unknown, tried: string): Error
  /** The result, if the vendor's refusal to remove something is not a failure. */
  removedBy(error: unknown): Removed | undefined
}

export interface Removing<O extends object> {
  /** For people. */
  readonly kind: string
  readonly name: string
  /** Resolves to the operation that was started, or to the result if there is one already. */
  readonly erase: () => Promise<O | Removed>
}

export interface Making<O extends object> extends Removing<O> {
  readonly signal: AbortSignal
  /**
   * Resolves to the operation that was started and its future outcome, or to the outcome if there is one already. Repeating the request
   * changes nothing.
   */
  readonly put: () => Promise<{ readonly operation: O; readonly outcome: Ensured } | Ensured>
  /** The outcome, if the refusal is not a failure. */
  readonly ensuredBy: (error: unknown) => Promise<Ensured | undefined>
}

/** A resource that a vendor makes and removes by operations. */
export function operated<O extends object>(vendor: Operations<O>, making: Making<O>): Resource {
  const { kind, name, signal, put, ensuredBy } = making
  const tried = `create ${kind} ${name}`
  let begun: { readonly operation: O; readonly outcome: Ensured } | undefined
  return {
    kind,
    name,
    pace: PACE,
    async ensure(): Promise<Ensured> {
      signal.throwIfAborted()
      try {
        if (!begun) {
          const answer = await put()
          if (typeof answer === 'string') return answer
          begun = answer
        }
        return (await vendor.isOver(begun.operation, tried, signal)) ? begun.outcome : 'pending'
      } catch (error) {
        signal.throwIfAborted()
        begun = undefined
        const ensured = await ensuredBy(error)
        if (ensured) return ensured
        throw vendor.errorOf(error, tried)
      }
    },
    remove: removal(vendor, making),
  }
}

/** A resource that was found: it can only be removed. */
export function leftover<O extends object>(vendor: Operations<O>, removing: Removing<O>): Resource {
  const { kind, name } = removing
  return { kind, name, pace: PACE, ensure: async () => 'found', remove: removal(vendor, removing) }
}

function removal<O extends object>(vendor: Operations<O>, { kind, name, erase }: Removing<O>): () => Promise<Removed> {
  const tried = `remove ${kind} ${name}`
  let begun: O | undefined
  return async () => {
    try {
      if (!begun) {
        const answer = await erase()
        if (typeof answer === 'string') return answer
        begun = answer
      }
      if (!(await vendor.isOver(begun, tried))) return 'pending'
      begun = undefined
      return 'removed'
    } catch (error) {
      begun = undefined
      const removed = vendor.removedBy(error)
      if (removed) return removed
      throw vendor.errorOf(error, tried)
    }
  }
}
