/** Errors by whose fault they are. Foreign errors are translated into these once, at the border of a room. */
import { messageOf } from '../lib/text.ts'
import { EXIT, type Outcome } from './exit-codes.ts'

export interface Advice extends ErrorOptions {
  /** One imperative sentence: what to do next. */
  readonly hint?: string
}

export abstract class TpiError extends Error {
  abstract readonly exitCode: number
  abstract readonly outcome: Outcome
  readonly hint: string | undefined
  constructor(message: string, advice: Advice = {}) {
    super(message, advice)
    this.name = new.target.name
    this.hint = advice.hint
  }
}

/** An error as one line for people: what is wrong and, if known, what to do about it. */
export function describeError(error: unknown): string {
  const message = messageOf(error)
  return error instanceof TpiError && error.hint !== undefined ? `${message} (${error.hint})` : message
}

/** One thing wrong with the input. */
export interface Fault {
  readonly option: string
  readonly message: string
  readonly hint?: string
}

/** Wrong input by the user. Carries every fault found; nothing was created. */
export class InputError extends TpiError {
  override readonly exitCode = EXIT.invalid
  override readonly outcome = 'invalid'
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[] | string, advice?: Advice) {
    const list = typeof faults === 'string' ? [{ option: '', message: faults }] : faults
    super(list.map((fault) => fault.message + (fault.hint ? ` (${fault.hint})` : '')).join('\n'), advice)
    this.faults = list
  }
}

/** Throws if there are faults: their messages do not name the option, and get its name here. */
export function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new InputError(faults.map((fault) => ({ ...fault, message: `${fault.option}: ${fault.message}` })))
}

/** Credentials missing or refused; the message names the permission. */
export class AuthError extends TpiError {
  override readonly exitCode = EXIT.denied
  override readonly outcome = 'denied'
}

/** No machine is available here and now: trying elsewhere or later may help. */
export class CapacityError extends TpiError {
  override readonly exitCode = EXIT.noCapacity
  override readonly outcome = 'no-capacity'
}

/** The account's limit is reached: trying again does not help, requesting a higher one does. */
export class QuotaError extends TpiError {
  override readonly exitCode = EXIT.noCapacity
  override readonly outcome = 'no-capacity'
}

/** A cloud, forge or store failed, or results could not be delivered. */
export class RemoteError extends TpiError {
  override readonly exitCode = EXIT.remote
  override readonly outcome = 'remote-error'
  readonly retryable: boolean
  constructor(message: string, advice: Advice & { retryable?: boolean } = {}) {
    super(message, advice)
    this.retryable = advice.retryable ?? false
  }
}

/** The user or a CI system ended the command itself: what that means for the run. `app.ts` says which signals have another exit code. */
export class Interruption extends TpiError {
  override readonly exitCode = EXIT.stopped
  override readonly outcome = 'stopped'
}

/** For `catch`, of something that a caller without the right for it does not need to know. */
export function ifDenied<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof AuthError) return instead
    throw error
  }
}

export const isRetryable = (error: unknown): error is RemoteError => error instanceof RemoteError && error.retryable

/** Something did not happen before its deadline. */
export class DeadlineError extends TpiError {
  override readonly exitCode = EXIT.timedOut
  override readonly outcome = 'timed-out'
}
