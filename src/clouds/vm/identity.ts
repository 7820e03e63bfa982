/** The identity that machines of all deployments share: an administrator makes it once for an account. */
import { isRetryable } from '../../core/errors.ts'
import { retry } from '../../lib/backoff.ts'

/** Tries, and milliseconds of pauses. */
const YOUTH = { tries: 12, first: 500, longest: 5000 }

/** For a step that needs something that was just made, which is not known everywhere at once. `again`: that may be what the error says. */
export async function onceKnown<T>(step: () => Promise<T>, again: (error: unknown) => boolean = isRetryable): Promise<T> {
  return await retry(step, { ...YOUTH, again })
}
