/**
 * Answers of Cloud Storage → kinds of the store contract, with what the user can do about it.
 * https://docs.cloud.google.com/storage/docs/json_api/v1/status-codes
 */
import { list, maybe, object, text } from '../../lib/shape.ts'
import { parseShape } from '../../wire/parse.ts'
import { BUSY, type CallError, CONFLICT, denied, FULL, type Meaning, meaningOf, refused, STALE, UNKNOWN_CALLER } from '../call-error.ts'
import type { HttpReply } from '../transport.ts'

/** What was tried: for messages. */
export interface Attempted {
  /** As in permissions: `objects.get`. */
  readonly operation: string
  readonly bucket: string
  /** Full key or prefix in the bucket. */
  readonly key: string
  /** Nothing of these ever appears in a message. */
  readonly secrets: readonly string[]
}

const DISABLED = denied('the account of the bucket is disabled: is billing switched off?')
const KEPT = denied('a retention policy or a hold keeps objects of the bucket from being changed: choose another')

/** By the `reason` of the answer, which says more than its status. */
const REASONS: Readonly<Record<string, Meaning>> = {
  conditionNotMet: CONFLICT,
  rateLimitExceeded: BUSY,
  userRateLimitExceeded: BUSY,
  slowDown: BUSY,
  quotaExceeded: FULL,
  authError: STALE,
  required: UNKNOWN_CALLER,
  accountDisabled: DISABLED,
  userProjectAccountProblem: DISABLED,
  userProjectMissing: denied('the bucket is "requester pays", which is not supported: choose another'),
  conditionalRequestConflict: BUSY,
  retentionPolicyNotMet: KEPT,
  objectUnderActiveHold: KEPT,
}

const STATUSES: Readonly<Record<number, Meaning>> = {
  401: STALE,
  404: ['gone', 'never', 'create the bucket, or correct `storage`'],
}

/** Matches messages in which Google itself says what is missing: perhaps the right to delete, to replace an object, or one of a key of KMS or a policy. */
const NAMED = /\b\w+\.\w+\.\w+ access\b|permission|policy/i

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
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  const meaning = known ?? meaningOf(reply.status, STATUSES)
  const advice =
    meaning[0] === 'denied' && !NAMED.test(message) ? `needs storage.${tried.operation} on the bucket ${tried.bucket}` : undefined
  return refused(reply, describe(tried), tried.secrets, { meaning, code: reason, message, advice })
}

/** Refusals of downloads are plain text, not JSON. */
function saidIn(body: Buffer): { readonly reason: string; readonly message: string } {
  const content = body.subarray(0, 65_536).toString('utf8')
  try {
    const { error } = parseShape(shape, content)
    return { reason: error.errors?.[0]?.reason ?? '', message: error.message ?? '' }
  } catch {
    return { reason: '', message: content.trimStart().startsWith('<') ? '' : content }
  }
}
