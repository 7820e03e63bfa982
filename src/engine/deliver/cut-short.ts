/** A delivery whose command is interrupted, or cannot give everything back: how long it still waits, and what it says. */
import { Interruption, isDenied, TpiError } from '../../core/errors.ts'
import { EXIT, type Outcome } from '../../core/exit-codes.ts'
import { formatDuration } from '../../lib/duration.ts'
import { messageOf } from '../../lib/text.ts'
import type { Spec } from '../../wire/spec.ts'
import { isStoreError, type StoreError } from '../../wire/store.ts'
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

/** Cloud or storage has refused to remove something, or could not, after the results were collected. No other command has removed the run. */
export class LeftoverError extends TpiError {
  override readonly exitCode: number
  override readonly outcome: Outcome

  constructor(cause: TpiError | StoreError, d: Pick<Deployment, 'id' | 'name'>) {
    const hint = (cause instanceof TpiError && cause.hint) || again(d)
    super(`the results of ${d.name} were collected, but not everything was given back: ${messageOf(cause)}`, { cause, hint })
    this.outcome = isDenied(cause) || isStoreError(cause, 'denied') ? 'denied' : 'remote-error'
    this.exitCode = this.outcome === 'denied' ? EXIT.denied : EXIT.remote
  }
}
