/** A delivery whose command is interrupted: how long it still waits, and what it says. */
import { Interruption } from '../../core/errors.ts'
import { formatDuration } from '../../lib/duration.ts'
import type { Spec } from '../../wire/spec.ts'
import type { Deployment } from '../deployment.ts'

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
