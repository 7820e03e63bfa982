/** What a vendor does after its answer: an operation, which ends well or with an error of its own. */
import type { Ensured, Removed, Resource } from '../../core/resource.ts'

/** Milliseconds between two looks at what takes long. */
const PACE = 1000

/** Operations of one vendor. */
export interface Operations<O extends object> {
  /** Throws what it ended with. */
  isOver(operation: O, tried: string, signal?: AbortSignal): Promise<boolean>
  errorOf(error: unknown, tried: string): Error
  /** What the vendor's refusal to remove something means, where it is no failure. */
  removedBy(error: unknown): Removed | undefined
}

export interface Removing<O extends object> {
  /** For people. */
  readonly kind: string
  readonly name: string
  /** The operation that was begun, or what it has come to already. */
  readonly erase: () => Promise<O | Removed>
}

export interface Making<O extends object> extends Removing<O> {
  readonly signal: AbortSignal
  /** The operation that was begun and what it will have come to, or what it has come to already. The same request once more changes nothing. */
  readonly put: () => Promise<{ readonly operation: O; readonly outcome: Ensured } | Ensured>
  /** What a refusal means, where it is no failure. */
  readonly ensuredBy: (error: unknown) => Promise<Ensured | undefined>
}

/** A thing that a vendor makes and removes by operations. */
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

/** A thing that was found: it can only be removed. */
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
