/**
 * What the vendor does after its answer: an operation, which ends well or with an error of its own.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations
 */
import type { Ensured, Removed, Resource } from '../../core/resource.ts'
import type { Answer } from '../vm/transport.ts'
import type { Api } from './api.ts'
import { errorOf, isGone, isOtherwise, isUsed, refusalOf } from './errors.ts'

/** Milliseconds between two looks at what takes long. */
const PACE = 1000

/** Milliseconds for which "there is no such thing" is not believed of what has just been made: the vendor's fronts hear of it one after the other. */
const YOUNG = 30_000

/** Where an operation tells how it goes; `undefined`: it is over with the answer. */
export interface Going {
  readonly address: string
  /** An address that answers 202 until it is over, rather than in words. */
  readonly bare: boolean
}

export function goingOn({ status, headers }: Answer): Going | undefined {
  if (status !== 201 && status !== 202 && !headers.has('azure-asyncoperation')) return undefined
  const named = headers.get('azure-asyncoperation')
  if (named) return { address: named, bare: false }
  const location = headers.get('location')
  return status === 202 && location ? { address: location, bare: true } : undefined
}

interface Status {
  readonly status?: string
  readonly error?: unknown
}

/** Whether it is over. Throws what it ended with, as `Refusal`. */
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
  /** `undefined`: there is none any more. */
  readonly erase: () => Promise<Answer | undefined>
}

/** A thing that the vendor makes and removes by operations. Whoever puts the same once more changes nothing. */
export function operated(api: Api, { kind, name, signal, put, erase }: Making): Resource {
  const tried = `create ${kind} ${name}`
  let begun: Going | undefined
  let outcome: Ensured = 'created'
  let madeAt = Number.NEGATIVE_INFINITY
  return {
    kind,
    name,
    pace: PACE,
    async ensure(): Promise<Ensured> {
      signal.throwIfAborted()
      try {
        if (!begun) {
          const answer = await put()
          madeAt = performance.now()
          outcome = answer.status === 200 ? 'found' : 'created'
          // Also of one that was there: somebody may just be making it.
          begun = goingOn(answer)
          if (!begun) return outcome
        }
        return (await isOver(api, begun, tried, signal)) ? outcome : 'pending'
      } catch (error) {
        signal.throwIfAborted()
        begun = undefined
        // It is there, made by another process, with a key of its own that nobody has either.
        if (isOtherwise(error)) return 'found'
        throw errorOf(error, tried)
      }
    },
    remove: removal(api, { kind, name, erase }, () => performance.now() - madeAt < YOUNG),
  }
}

/** `isYoung`: it has just been made. */
export function removal(
  api: Api,
  { kind, name, erase }: Pick<Making, 'kind' | 'name' | 'erase'>,
  isYoung = (): boolean => false,
): () => Promise<Removed> {
  const tried = `remove ${kind} ${name}`
  let begun: Going | undefined
  let known = false
  return async () => {
    try {
      if (!begun) {
        const answer = await erase()
        if (!answer || answer.status === 204) return !known && isYoung() ? 'pending' : 'absent'
        known = true
        begun = goingOn(answer)
        if (!begun) return 'removed'
      }
      if (!(await isOver(api, begun, tried))) return 'pending'
      begun = undefined
      return 'removed'
    } catch (error) {
      begun = undefined
      if (isGone(error)) return 'removed'
      if (isUsed(error)) return 'pending'
      throw errorOf(error, tried)
    }
  }
}

/** Of what was found: it can only be removed. */
export function leftover(api: Api, of: Pick<Making, 'kind' | 'name' | 'erase'>): Resource {
  return { kind: of.kind, name: of.name, pace: PACE, ensure: async () => 'found', remove: removal(api, of) }
}
