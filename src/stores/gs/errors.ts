/**
 * Answers of Cloud Storage → kinds of the store contract, with what the user can do about it.
 * https://docs.cloud.google.com/storage/docs/json_api/v1/status-codes
 */
import { list, maybe, object, text } from '../../lib/shape.ts'
import { parseShape } from '../../wire/parse.ts'
import { CallError, hidden, type Meaning, waitOf } from '../call-error.ts'
import type { HttpReply } from '../transport.ts'

/** What was tried: for messages. */
export interface Attempted {
  /** As permissions call it: `objects.get`. */
  readonly operation: string
  readonly bucket: string
  /** Full key or prefix in the bucket. */
  readonly key: string
  /** Nothing of these ever appears in a message. */
  readonly secrets: readonly string[]
}

const DENIED: Meaning = ['denied', 'never']
const BUSY: Meaning = ['unavailable', 'always']
const TRANSIENT: Meaning = ['unavailable', 'repeatable']

/** By the `reason` of the answer: it says more than its status. */
const REASONS: Readonly<Record<string, Meaning>> = {
  conditionNotMet: ['conflict', 'never'],
  rateLimitExceeded: BUSY,
  userRateLimitExceeded: BUSY,
  slowDown: BUSY,
  quotaExceeded: ['full', 'never'],
  authError: ['denied', 'never', 'the credentials are not valid, or have expired'],
  required: ['denied', 'never', 'the server wants credentials'],
  accountDisabled: ['denied', 'never', 'the account of the bucket is disabled: is billing switched off?'],
  userProjectAccountProblem: ['denied', 'never', 'the account of the bucket is disabled: is billing switched off?'],
  userProjectMissing: ['denied', 'never', 'in this bucket the one who asks pays, which is not supported: choose another'],
  conditionalRequestConflict: BUSY,
}

const STATUSES: Readonly<Record<number, Meaning>> = {
  401: ['denied', 'never', 'the credentials are not valid, or have expired'],
  403: DENIED,
  404: ['gone', 'never', 'create the bucket, or correct `storage`'],
  408: TRANSIENT,
  409: BUSY,
  412: ['conflict', 'never'],
  429: BUSY,
  507: ['full', 'never'],
}

interface Said {
  readonly error: { readonly message?: string; readonly errors?: readonly { readonly reason?: string }[] }
}

const shape = object<Said>({
  error: object<Said['error']>({
    message: maybe(text(16_384)),
    errors: maybe(list(object<{ reason?: string }>({ reason: maybe(text(256)) }), 100)),
  }),
})

export function describe({ operation, bucket, key }: Attempted): string {
  return `${operation} gs://${bucket}/${key}`
}

export function faultOf(reply: HttpReply, tried: Attempted): CallError {
  const { reason, message } = saidIn(reply.body)
  const { status } = reply
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : STATUSES[status]
  const [kind, again, hint] = known ?? (status >= 500 ? TRANSIENT : (['invalid', 'never'] as const))
  const said = hidden(`${status}${reason && ` ${reason}`}${message && `: ${message.slice(0, 300)}`}`, tried.secrets)
  const advice = hint ?? (kind === 'denied' ? `needs storage.${tried.operation} on the bucket ${tried.bucket}` : undefined)
  const wait = waitOf(reply.headers['retry-after'])
  return new CallError(kind, `storage: ${describe(tried)} failed: ${said}${advice ? ` (${advice})` : ''}`, {
    code: reason,
    status,
    again,
    wait,
  })
}

/** Downloads are refused in plain text. */
function saidIn(body: Buffer): { readonly reason: string; readonly message: string } {
  const content = body.subarray(0, 65_536).toString('utf8')
  try {
    const { error } = parseShape(shape, content)
    return { reason: error.errors?.[0]?.reason ?? '', message: error.message ?? '' }
  } catch {
    return { reason: '', message: content.trimStart().startsWith('<') ? '' : content }
  }
}
