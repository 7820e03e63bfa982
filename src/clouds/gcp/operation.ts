/** What the vendor does after its answer: an operation, which ends well or with an error of its own. */
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../core/resource.ts'
import type { Api } from './api.ts'
import { errorOf, GONE, isOneOf, Refusal, THERE, USED } from './errors.ts'
import { last } from './names.ts'
import type { Operation } from './sdk.ts'

/** Until it is through, or the vendor has held the call for two minutes. Throws what it ended with, as `Refusal`. */
export async function through(api: Api, tried: string, operation: Operation, signal?: AbortSignal): Promise<boolean> {
  const name = operation.name ?? ''
  const done =
    operation.status === 'DONE'
      ? operation
      : await api.call(
          operation.region ? 'compute:regionOperations.wait' : 'compute:globalOperations.wait',
          `wait until it is done to ${tried}`,
          {
            path: { operation: name },
            ...(signal && { signal }),
          },
        )
  if (done.status !== 'DONE') return false
  const refusal = refusalIn(done)
  if (refusal) throw refusal
  return true
}

/** An operation that is DONE has succeeded only where it carries no error. */
export function refusalIn({ error, httpErrorStatusCode }: Operation): Refusal | undefined {
  const [first] = error?.errors ?? []
  if (!first) return undefined
  return new Refusal(first.message || first.code || 'it failed', { status: httpErrorStatusCode ?? 0, reason: first.code ?? '' })
}

export interface Making {
  readonly kind: string
  readonly name: string
  readonly signal: AbortSignal
  /** `undefined`: there is one of that name already. */
  readonly insert: () => Promise<Operation | undefined>
  readonly find: () => Promise<unknown>
  /** `undefined`: there is none any more. */
  readonly erase: () => Promise<Operation | undefined>
}

/** Milliseconds between two looks at what takes long. */
const PACE = 1000

/** A resource that the vendor makes and removes by operations. */
export function operated(api: Api, { kind, name, signal, insert, find, erase }: Making): Resource {
  const tried = `create ${kind} ${name}`
  let begun: Operation | undefined
  return {
    kind,
    name,
    pace: PACE,
    async ensure(): Promise<Ensured> {
      signal.throwIfAborted()
      begun ??= await insert()
      if (!begun) return found(await find(), tried)
      try {
        return (await through(api, tried, begun, signal)) ? 'created' : 'pending'
      } catch (error) {
        begun = undefined
        if (isOneOf(error, THERE)) return found(await find(), tried)
        throw errorOf(error, tried)
      }
    },
    remove: removal(api, { kind, name, erase }),
  }
}

function found(there: unknown, tried: string): Ensured {
  if (there !== undefined) return 'found'
  throw new RemoteError(`gcp: could not ${tried}: one of that name is on its way, or going`, { retryable: true })
}

export function removal(api: Api, { kind, name, erase }: Pick<Making, 'kind' | 'name' | 'erase'>): () => Promise<Removed> {
  const tried = `remove ${kind} ${name}`
  let begun: Operation | undefined
  return async () => {
    try {
      begun ??= await erase()
      if (!begun) return 'absent'
      if (!(await through(api, tried, begun))) return 'pending'
      begun = undefined
      return 'removed'
    } catch (error) {
      begun = undefined
      const cause = error instanceof Refusal ? error : (error as { readonly cause?: unknown }).cause
      if (isOneOf(cause, GONE)) return 'absent'
      if (isOneOf(cause, USED)) return 'pending'
      throw errorOf(error, tried)
    }
  }
}

/** For `catch`: what was made a moment ago is not known everywhere yet, and whoever asks again is answered. */
export function youngIf(name: string): (error: unknown) => never {
  return (error) => {
    const young = error instanceof InputError && isOneOf(error.cause, GONE) && error.message.includes(last(name))
    throw young ? new RemoteError(error.message, { cause: error.cause, retryable: true }) : error
  }
}
