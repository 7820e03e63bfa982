/** Making the identity that machines of all deployments share, which an administrator does once for an account. */
import { isRetryable } from '../../core/errors.ts'
import { retry } from '../../lib/backoff.ts'

/** Tries, and milliseconds of pauses between them. */
const YOUTH = { tries: 12, first: 500, longest: 5000 }

/** Repeats a step that needs something that was just made, until the vendor knows it everywhere. `again`: the error may mean that it does not yet. */
export async function onceKnown<T>(step: () => Promise<T>, again: (error: unknown) => boolean = isRetryable): Promise<T> {
  return await retry(step, { ...YOUTH, again })
}
