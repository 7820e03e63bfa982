/** Resources of Google Cloud, which are made and removed by operations. */
import { randomUUID } from 'node:crypto'
import { RemoteError } from '../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../core/resource.ts'
import { type Operations, leftover as vmLeftover, operated as vmOperated } from '../vm/operation.ts'
import { refusalIn } from '../vm/refusal.ts'
import type { Api } from './api.ts'
import { errorOf, FailedOperation, GONE, isOneOf, THERE, USED } from './errors.ts'
import type { Operation } from './sdk.ts'

/** Waits until the operation is over, or until the vendor has held the call for two minutes (`false`). Throws a `FailedOperation`. */
async function isOver(api: Api, tried: string, operation: Operation, signal?: AbortSignal): Promise<boolean> {
  const call = operation.region ? 'compute:regionOperations.wait' : 'compute:globalOperations.wait'
  const ask = { path: { operation: operation.name ?? '' }, ...(signal && { signal }) }
  const done = operation.status === 'DONE' ? operation : await api.call(call, `see whether it was done: ${tried}`, ask)
  if (done.status !== 'DONE') return false
  const failure = failureIn(done)
  if (failure) throw failure
  return true
}

/** Waits until an operation has succeeded. Throws if it fails, or takes longer than the vendor holds a call. */
export async function through(api: Api, tried: string, operation: Operation, signal?: AbortSignal): Promise<void> {
  const over = await isOver(api, tried, operation, signal).catch((error: unknown) => {
    throw errorOf(error, tried)
  })
  if (!over) throw new RemoteError(`gcp: could not ${tried}: it is taking too long`, { retryable: true })
}

/** An operation that is DONE has succeeded only if it has no error. */
export function failureIn({ error, httpErrorStatusCode }: Operation): FailedOperation | undefined {
  const [first] = error?.errors ?? []
  if (!first) return undefined
  return new FailedOperation(first.message || first.code || 'it failed', { status: httpErrorStatusCode ?? 0, code: first.code ?? '' })
}

export interface Making {
  readonly kind: string
  readonly name: string
  readonly signal: AbortSignal
  /** `undefined`: the name exists already. All tries have the same id until an operation has failed. */
  readonly insert: (requestId: string) => Promise<Operation | undefined>
  /** It refers to something of the same name that was made just before, and may not be known everywhere yet. */
  readonly followsNamesake?: true
  /** The operation has failed. `true`: the next `insert` asks for something else. */
  readonly otherwise?: (error: unknown) => boolean
  readonly find: () => Promise<unknown>
  /** `undefined`: it no longer exists. */
  readonly erase: () => Promise<Operation | undefined>
}

export function operated(api: Api, { kind, name, signal, insert, followsNamesake, otherwise, find, erase }: Making): Resource {
  // A request that is repeated because its answer was lost has the same id, so that the vendor does it only once.
  let requestId = randomUUID()
  const there = async (): Promise<Ensured> => {
    if ((await find()) !== undefined) return 'found'
    throw new RemoteError(`gcp: could not create ${kind} ${name}: one of that name is still being made or removed`, { retryable: true })
  }
  const young: typeof errorOf = (error, tried) => retriedIfYoung(name, errorOf(error, tried))
  return vmOperated(
    { ...operations(api), ...(followsNamesake && { errorOf: young }) },
    {
      kind,
      name,
      signal,
      put: async () => {
        const operation = await insert(requestId)
        return operation ? { operation, outcome: 'created' } : there()
      },
      ensuredBy: async (error) => {
        if (!(error instanceof FailedOperation)) return undefined
        requestId = randomUUID()
        if (isOneOf(error, THERE)) return there()
        return otherwise?.(error) ? 'pending' : undefined
      },
      erase: erasing(erase),
    },
  )
}

/** A resource that was found: it can only be removed. */
export function leftover(api: Api, { kind, name, erase }: Pick<Making, 'kind' | 'name' | 'erase'>): Resource {
  return vmLeftover(operations(api), { kind, name, erase: erasing(erase) })
}

const operations = (api: Api): Operations<Operation> => ({
  isOver: async (operation, tried, signal) => isOver(api, tried, operation, signal),
  errorOf,
  removedBy: (error) => {
    const cause = refusalIn(error)
    if (isOneOf(cause, GONE)) return 'absent'
    return isOneOf(cause, USED) ? 'pending' : undefined
  },
})

const erasing = (erase: Making['erase']) => async (): Promise<Operation | Removed> => (await erase()) ?? 'absent'

/** Makes the error retryable if it says that something of this name is missing: it was just made, and is not known everywhere yet. */
function retriedIfYoung(name: string, error: Error): Error {
  const young = isOneOf(refusalIn(error), GONE) && error.message.includes(name)
  return young ? new RemoteError(error.message, { cause: error.cause, retryable: true }) : error
}
