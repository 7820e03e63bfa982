/** Two jobs of one workflow run that cannot be told apart, and so give their runs the same name. */
import { InputError } from '../../core/errors.ts'
import type { Origin } from '../../wire/records.ts'

/**
 * Run, step and attempt are the same. In one attempt a step occurs only once, so these are two jobs that look the same; a re-run is another
 * attempt.
 */
export function areTwins(one: Origin, other: Origin): boolean {
  const { run, step, attempt } = one
  return run !== undefined && attempt !== undefined && run === other.run && step === other.step && attempt === other.attempt
}

/** The error to throw. `otherwise`: what to do if both are meant to use one run. */
export function twins({ name }: { readonly name: string }, otherwise: string): InputError {
  return new InputError(
    `name: "${name}" is already used by another job of this run that looks the same, such as a second call of one reusable workflow`,
    { hint: `give each its own name, or ${otherwise}` },
  )
}
