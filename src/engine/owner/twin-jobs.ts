/** Two jobs of one workflow run that cannot be told apart, and so mean the same name. */
import { InputError } from '../../core/errors.ts'
import type { Origin } from '../../wire/records.ts'

/** A re-run has another number, so these are two jobs of the same attempt that look the same. */
export function areTwins(one: Origin, other: Origin): boolean {
  const { run, step, attempt } = one
  return run !== undefined && attempt !== undefined && run === other.run && step === other.step && attempt === other.attempt
}

/** `otherwise`: what to do if that is intended. */
export function twins({ name }: { readonly name: string }, otherwise: string): InputError {
  return new InputError(
    `name: "${name}" is already used by another job of this run that looks the same, such as a second call of one reusable workflow`,
    { hint: `give each its own name, or ${otherwise}` },
  )
}
