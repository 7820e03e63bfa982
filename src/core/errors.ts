/**
 * Errors by what went wrong, each with its outcome and exit code. Errors of vendors and of the system become one of these where they enter a room.
 */
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

/** An error as one line for people: what is wrong and, in brackets, what to do. */
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

/** The user's input is wrong: all faults that were found. Nothing was created. */
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

/** Throws InputError if there are faults. Puts the option before each message, which does not name it. */
export function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new InputError(faults.map((fault) => ({ ...fault, message: `${fault.option}: ${fault.message}` })))
}

/** Credentials are missing or refused, or a permission is missing: the message names it. */
export class AuthError extends TpiError {
  override readonly exitCode = EXIT.denied
  override readonly outcome = 'denied'
}

/** No machine is available here at the moment: another place or another time may help. */
export class CapacityError extends TpiError {
  override readonly exitCode = EXIT.noCapacity
  override readonly outcome = 'no-capacity'
}

/** A quota of the account is used up: trying again does not help, but asking for a higher one does. */
export class QuotaError extends TpiError {
  override readonly exitCode = EXIT.noCapacity
  override readonly outcome = 'no-capacity'
}

/** A cloud, forge or store failed, or results could not be delivered. */
export class RemoteError extends TpiError {
  override readonly exitCode: number = EXIT.remote
  override readonly outcome: Outcome = 'remote-error'
  readonly retryable: boolean
  constructor(message: string, advice: Advice & { retryable?: boolean } = {}) {
    super(message, advice)
    this.retryable = advice.retryable ?? false
  }
}

/** A part of this program is missing on this computer. */
export class InstallationError extends TpiError {
  override readonly exitCode = EXIT.bug
  override readonly outcome = 'bug'
  constructor(missing: string, cause: unknown) {
    super(`this installation of tpi is not complete: ${missing}`, {
      cause,
      hint: 'install it again; in a checkout of its repository: git checkout -- dist',
    })
  }
}

/** The user or a CI system has ended the command: what that means for the run. (`app.ts` says which signals have another exit code.) */
export class Interruption extends TpiError {
  override readonly exitCode = EXIT.stopped
  override readonly outcome = 'stopped'
}

/** For `catch`: what to take instead if the caller has no right to know it. */
export function ifDenied<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof AuthError) return instead
    throw error
  }
}

export const isRetryable = (error: unknown): error is RemoteError => error instanceof RemoteError && error.retryable

/** Credentials or a right are missing, whichever class says so. */
export const isDenied = (error: unknown): boolean => error instanceof TpiError && error.outcome === 'denied'

/** Something did not happen in time. */
export class DeadlineError extends TpiError {
  override readonly exitCode = EXIT.timedOut
  override readonly outcome = 'timed-out'
}

/** Hint if a group is past its hard deadline: no machine of it may start any more. */
export const LONGER = 'give a longer timeout'
