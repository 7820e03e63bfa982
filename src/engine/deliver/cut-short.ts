/** A delivery whose command is interrupted, or cannot give everything back: how long it still waits, and what it says. */
import { AuthError, Interruption, RemoteError, TpiError } from '../../core/errors.ts'
import { formatDuration } from '../../lib/duration.ts'
import { messageOf } from '../../lib/text.ts'
import type { Spec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import type { Deployment } from '../deployment.ts'
import { again } from '../destroy/compute.ts'

/** Milliseconds after an interrupt for removing what is left of a run. A CI host kills this process about 10 s after it has cancelled its job. */
export const GIVING_BACK = 5000

/** For `catch`: replaces the signal's bare reason by what the interrupt means for the user; any other error stays. */
export function cutShort(signal: AbortSignal | undefined, error: unknown, meaning: () => Interruption): unknown {
  return signal?.aborted && error === signal.reason ? meaning() : error
}

/** For the run nothing has changed, whether it has ended or goes on. */
export function uncollected({ name }: Pick<Deployment, 'name'>, spec: Pick<Spec, 'lifetime'>): Interruption {
  return new Interruption(`interrupted before the results of ${name} were collected`, {
    hint: `nothing is lost: the store keeps them for ${formatDuration(spec.lifetime.retention)} after the run has ended; run: \`tpi collect ${name}\``,
  })
}

/** The results are in their place, and recorded as collected. */
export function notGivenBack({ name }: Pick<Deployment, 'name'>): Interruption {
  return new Interruption(`interrupted after the results of ${name} were collected, and before everything was given back`, {
    hint: `run: \`tpi destroy ${name}\``,
  })
}

/** The same after a failure of cloud or storage; any other error stays. */
export function leftBy(error: unknown, d: Pick<Deployment, 'id' | 'name'>): unknown {
  if (!(error instanceof TpiError || isStoreError(error))) return error
  const isDenied = error instanceof AuthError || isStoreError(error, 'denied')
  const message = `the results of ${d.name} were collected, but not everything was given back: ${messageOf(error)}`
  const hint = (error instanceof TpiError && error.hint) || again(d)
  return new (isDenied ? AuthError : RemoteError)(message, { cause: error, hint })
}
