/** Operations of Google Cloud, and their results. */
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../core/resource.ts'
import { leftover as found, operated as made, type Operations } from '../vm/operation.ts'
import type { Api } from './api.ts'
import { errorOf, GONE, isOneOf, Refusal, THERE, USED } from './errors.ts'
import { last } from './names.ts'
import type { Operation } from './sdk.ts'

/** Waits until it is over, or until the vendor has held the call for two minutes. Throws a `Refusal` if the operation failed. */
async function isOver(api: Api, tried: string, operation: Operation, signal?: AbortSignal): Promise<boolean> {
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

/** For a change that something else has to wait for. */
export async function through(api: Api, tried: string, operation: Operation): Promise<void> {
  const over = await isOver(api, tried, operation).catch((error: unknown) => {
    throw errorOf(error, tried)
  })
  if (!over) throw new RemoteError(`gcp: could not ${tried}: it is taking too long`, { retryable: true })
}

/** An operation that is DONE has succeeded only if it has no error. */
export function refusalIn({ error, httpErrorStatusCode }: Operation): Refusal | undefined {
  const [first] = error?.errors ?? []
  if (!first) return undefined
  return new Refusal(first.message || first.code || 'it failed', { status: httpErrorStatusCode ?? 0, reason: first.code ?? '' })
}

export interface Making {
  readonly kind: string
  readonly name: string
  readonly signal: AbortSignal
  /** `undefined`: the name exists already. */
  readonly insert: () => Promise<Operation | undefined>
  readonly find: () => Promise<unknown>
  /** `undefined`: it no longer exists. */
  readonly erase: () => Promise<Operation | undefined>
}

export function operated(api: Api, { kind, name, signal, insert, find, erase }: Making): Resource {
  const there = async (): Promise<Ensured> => {
    if ((await find()) !== undefined) return 'found'
    throw new RemoteError(`gcp: could not create ${kind} ${name}: one of that name is still being made or removed`, { retryable: true })
  }
  return made(operations(api), {
    kind,
    name,
    signal,
    put: async () => {
      const operation = await insert()
      return operation ? { operation, outcome: 'created' } : there()
    },
    ensuredBy: async (error) => (isOneOf(error, THERE) ? there() : undefined),
    erase: erasing(erase),
  })
}

/** A resource that was found: it can only be removed. */
export function leftover(api: Api, { kind, name, erase }: Pick<Making, 'kind' | 'name' | 'erase'>): Resource {
  return found(operations(api), { kind, name, erase: erasing(erase) })
}

const operations = (api: Api): Operations<Operation> => ({
  isOver: async (operation, tried, signal) => isOver(api, tried, operation, signal),
  errorOf,
  removedBy: (error) => {
    const cause = error instanceof Refusal ? error : (error as { readonly cause?: unknown }).cause
    return isOneOf(cause, GONE) ? 'absent' : isOneOf(cause, USED) ? 'pending' : undefined
  },
})

const erasing = (erase: Making['erase']) => async (): Promise<Operation | Removed> => (await erase()) ?? 'absent'

/** For `catch`: something that was just made is not known everywhere yet, so the error is retryable. */
export function youngIf(name: string): (error: unknown) => never {
  return (error) => {
    const young = error instanceof InputError && isOneOf(error.cause, GONE) && error.message.includes(last(name))
    throw young ? new RemoteError(error.message, { cause: error.cause, retryable: true }) : error
  }
}
