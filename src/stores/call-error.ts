/** How a call to a bucket failed, and whether it may be repeated: the same for all services. */
import { redactText, secretNeedles } from '../lib/redact.ts'
import { StoreError, type StoreFault } from '../wire/store.ts'
import type { HttpReply } from './transport.ts'
import { TooLarge, TransportError } from './transport-error.ts'

/**
 * Whether a call may be repeated: `always` (it had no effect) · `repeatable` (it may have had one, so only if doing it twice is harmless) · `never`.
 */
export type Again = 'always' | 'repeatable' | 'never'

/** What an answer means, whether the call may be repeated, and what the user can do about it, if known. */
export type Meaning = readonly [kind: StoreFault, again: Again, hint?: string]

export const DENIED: Meaning = ['denied', 'never']
export const CONFLICT: Meaning = ['conflict', 'never']
export const BUSY: Meaning = ['unavailable', 'always']
export const TRANSIENT: Meaning = ['unavailable', 'repeatable']
export const FULL: Meaning = ['full', 'never']
/** With what the user can do about it. */
export const denied = (hint: string): Meaning => ['denied', 'never', hint]
export const STALE = denied('the credentials are not valid, or have expired')
export const UNKNOWN_CALLER = denied('the server asks for credentials')

/** What a status means if the service gives no more specific code. */
export function meaningOf(status: number, own: Readonly<Record<number, Meaning>>): Meaning {
  return own[status] ?? STATUSES[status] ?? (status >= 500 ? TRANSIENT : ['invalid', 'never'])
}

const STATUSES: Readonly<Record<number, Meaning>> = {
  401: DENIED,
  403: DENIED,
  408: TRANSIENT,
  409: BUSY,
  412: CONFLICT,
  429: BUSY,
  507: FULL,
}

export interface CallFacts {
  /** The service's own code for it. */
  readonly code: string
  /** HTTP status; 0 if there was no answer. */
  readonly status: number
  readonly again: Again
  /** Milliseconds that the server asked us to wait. */
  readonly wait?: number
}

export class CallError extends StoreError {
  readonly code: string
  readonly status: number
  readonly again: Again
  readonly wait: number
  constructor(kind: StoreFault, message: string, { code, status, again, wait = 0, ...rest }: CallFacts & ErrorOptions) {
    super(kind, message, rest.cause === undefined ? {} : { cause: rest.cause })
    this.code = code
    this.status = status
    this.again = again
    this.wait = wait
  }
}

/** Milliseconds between tries. */
export const PAUSES = { first: 100, longest: 5_000 }
/** Milliseconds: if a server asks us to wait longer, the call is repeated after this time anyway. */
const LONGEST_WAIT = 30_000

/** What `retry` needs to know about a failed call. `repeatable`: doing it twice is as good as once, even if only the answer was lost. */
export function mayRepeat(error: unknown, repeatable: boolean): boolean | number {
  if (!(error instanceof CallError)) return false
  if (error.again === 'never' || (error.again === 'repeatable' && !repeatable)) return false
  return error.wait > 0 ? error.wait : true
}

/** Milliseconds, from the header `retry-after`. */
function waitOf(seconds: string | undefined): number {
  return Math.min(Number(seconds ?? 0) * 1000 || 0, LONGEST_WAIT)
}

/** No answer at all, or none that can be read. `what`: the call, for people. */
export function lost(error: unknown, what: string, secrets: readonly string[]): CallError {
  const failed = `storage: ${what} failed`
  const facts = { code: '', status: 0, cause: error }
  if (error instanceof TooLarge) return new CallError('corrupt', `${failed}: ${error.message}`, { ...facts, again: 'never' })
  const sent = !(error instanceof TransportError) || error.sent
  const reason = hidden(error instanceof TransportError ? error.message : String(error), secrets)
  const message = `${failed}: ${reason}${sent ? hangUp(reason) : ' (nothing was sent)'}`
  return new CallError('unavailable', message, { ...facts, again: sent ? 'repeatable' : 'always' })
}

/** A server that refuses a large body may hang up while that is still being sent, and its answer is lost with the connection. */
function hangUp(reason: string): string {
  if (!/\b(?:ECONNRESET|EPIPE)\b|socket hang up/.test(reason)) return ''
  return ' (the server hung up; if it always does, it may be refusing this: check the credentials, and what they are permitted in the storage)'
}

/** For an answer that makes no sense: it is truncated, or not from such a server. `why`, `what` (the call): for people. */
export function odd(why: string, what: string, cause?: unknown): CallError {
  return new CallError('unavailable', `storage: ${what} failed: ${why}`, { code: '', status: 200, again: 'repeatable', cause })
}

export interface Refusal {
  readonly meaning: Meaning
  /** The service's own code, and its message. */
  readonly code: string
  readonly message: string
  /** What the user can do, if the meaning does not say it. */
  readonly advice?: string | undefined
}

/** The error for an answer that is a refusal. `what`: the call, for people. */
export function refused(
  reply: HttpReply,
  what: string,
  secrets: readonly string[],
  { meaning, code, message, advice }: Refusal,
): CallError {
  const { status, headers } = reply
  const [kind, again, hint = advice] = meaning
  const said = hidden(`${status}${code && ` ${code}`}${message && `: ${message.slice(0, 300)}`}`, secrets)
  const facts = { code, status, again, wait: waitOf(headers['retry-after']) }
  return new CallError(kind, `storage: ${what} failed: ${said}${hint ? ` (${hint})` : ''}`, facts)
}

/** One line without any secret. */
function hidden(text: string, secrets: readonly string[]): string {
  return redactText(text.replace(/\s+/g, ' '), secretNeedles(secrets))
}
