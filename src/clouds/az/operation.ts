/**
 * Operations of Azure, and where an answer says how they are going.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations
 */
import type { Removed, Resource } from '../../core/resource.ts'
import { type Operations, leftover as vmLeftover, operated as vmOperated } from '../vm/operation.ts'
import type { Answer } from '../vm/transport.ts'
import type { Api } from './api.ts'
import { errorOf, isGone, isOtherwise, isUsed, refusalOf } from './errors.ts'

/**
 * Milliseconds for which "it does not exist" is not believed of something that was just made: the vendor's servers learn of it one after
 * the other.
 */
const YOUNG = 30_000

/** Where to ask about an operation that is going on. */
export interface Going {
  readonly address: string
  /** The address tells by its status alone: 202 until the operation is over. */
  readonly bare: boolean
}

/** `undefined`: the operation was over with the answer. */
export function goingOn({ status, header }: Answer): Going | undefined {
  const named = header('azure-asyncoperation')
  if (named) return { address: named, bare: false }
  const location = header('location')
  return status === 202 && location ? { address: location, bare: true } : undefined
}

interface Status {
  readonly status?: string
  readonly error?: unknown
}

/** Whether it is over. Throws a `Refusal` if the operation failed. */
export async function isOver(api: Api, { address, bare }: Going, tried: string, signal?: AbortSignal): Promise<boolean> {
  const answer = await api.follow(address, `see whether it is done to ${tried}`, signal)
  if (bare) return answer.status !== 202
  const { status = '', error } = answer.value as Status
  if (/^(?:Failed|Canceled)$/i.test(status))
    throw refusalOf(0, { error: error ?? { code: status, message: `it was ${status.toLowerCase()}` } })
  return /^Succeeded$/i.test(status)
}

export interface Making {
  /** For people. */
  readonly kind: string
  readonly name: string
  readonly signal: AbortSignal
  readonly put: () => Promise<Answer>
  /** `undefined`: it no longer exists. */
  readonly erase: () => Promise<Answer | undefined>
}

export function operated(api: Api, { kind, name, signal, put, erase }: Making): Resource {
  let madeAt = Number.NEGATIVE_INFINITY
  return vmOperated(operations(api), {
    kind,
    name,
    signal,
    put: async () => {
      const answer = await put()
      madeAt = performance.now()
      const outcome = answer.status === 200 ? 'found' : 'created'
      // Even if it exists already: another command may be making it right now.
      const operation = goingOn(answer)
      return operation ? { operation, outcome } : outcome
    },
    // Another process has made it with another SSH key, of which nobody has the private half either.
    ensuredBy: async (error) => (isOtherwise(error) ? 'found' : undefined),
    erase: erasing(erase, () => performance.now() - madeAt < YOUNG),
  })
}

/** A resource that was found: it can only be removed. */
export function leftover(api: Api, { kind, name, erase }: Pick<Making, 'kind' | 'name' | 'erase'>): Resource {
  return vmLeftover(operations(api), { kind, name, erase: erasing(erase) })
}

const operations = (api: Api): Operations<Going> => ({
  isOver: async (going, tried, signal) => isOver(api, going, tried, signal),
  errorOf,
  removedBy: (error) => (isGone(error) ? 'removed' : isUsed(error) ? 'pending' : undefined),
})

/** `isYoung`: whether it was just made, so that "it does not exist" may be wrong. */
function erasing(erase: Making['erase'], isYoung = (): boolean => false): () => Promise<Going | Removed> {
  // Azure has known it at least once.
  let isKnown = false
  return async () => {
    const answer = await erase()
    if (!answer || answer.status === 204) return !isKnown && isYoung() ? 'pending' : 'absent'
    isKnown = true
    return goingOn(answer) ?? 'removed'
  }
}
