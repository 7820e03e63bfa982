/** Resources of vendors that answer a request with an operation, which goes on after the answer and may still fail. */
import type { Ensured, Removed, Resource } from '../../core/resource.ts'

/** Milliseconds between two looks at something slow. */
const PACE = 1000

/** Operations of one vendor. */
export interface Operations<O extends object> {
  /** Throws the error with which the operation has failed. */
  isOver(operation: O, tried: string, signal?: AbortSignal): Promise<boolean>
  errorOf(error: unknown, tried: string): Error
  /** The result, if this error of a removal is no failure. */
  removedBy(error: unknown): Removed | undefined
}

export interface Removing<O extends object> {
  /** For people. */
  readonly kind: string
  readonly name: string
  /** Requests the removal. Resolves to its operation, or to the result if there is one already. */
  readonly erase: () => Promise<O | Removed>
}

export interface Making<O extends object> extends Removing<O> {
  readonly signal: AbortSignal
  /**
   * Requests the resource; a repeated request changes nothing. Resolves to the operation and its outcome once it succeeds, or to the outcome if
   * there is one already.
   */
  readonly put: () => Promise<{ readonly operation: O; readonly outcome: Ensured } | Ensured>
  /** The outcome, if this error is no failure. */
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
