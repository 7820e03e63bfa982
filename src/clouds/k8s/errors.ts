/** Errors of an API server → tpi's errors, including whose fault it is. */

import { AuthError, InputError, QuotaError, RemoteError } from '../../core/errors.ts'
import { EXIT } from '../../core/exit-codes.ts'
import { messageOf } from '../../lib/text.ts'

/** The useful parts of a `Status` object. */
export interface ApiStatus {
  readonly code: number
  readonly reason?: string
  readonly message?: string
  /** The exact obstacle, such as the name of a disruption budget. */
  readonly causes?: readonly string[]
}

/** What was tried: `create job tpi-x in namespace ci`. */
export interface Tried {
  readonly verb: string
  /** A kind of objects, or a path below the root, such as `/version`. */
  readonly resource: string
  readonly name?: string
  readonly namespace: string
}

/** Paths are not about the namespace, or name it themselves. */
const placeOf = ({ resource, namespace }: Tried): string => (resource.startsWith('/') ? '' : ` in namespace "${namespace}"`)

const say = (tried: Tried): string => {
  const { verb, resource, name } = tried
  return `could not ${verb} ${resource}${name === undefined ? '' : ` ${name}`}${placeOf(tried)}`
}

export function errorOf(status: ApiStatus, tried: Tried): Error {
  const message = `k8s: ${say(tried)}: ${status.message ?? status.reason ?? `status ${status.code}`}`
  if (status.code === 401) {
    return new AuthError(`k8s: ${say(tried)}: the API server does not accept these credentials`, {
      hint: 'log in again, or check the context',
    })
  }
  if (status.code === 403) return refused(status, tried, message)
  if (status.code === 422 || status.code === 400) return new InputError(message)
  const passing = status.code === 429 || status.code >= 500
  return new RemoteError(message, { retryable: passing })
}

/** How an API server says that a right is missing, whatever decides about rights (k8s.io/apiserver, responsewriters/errors.go). */
const UNAUTHORIZED = /\bUser ".*" (?:groups .* )?cannot \w/
/** A rule of admission, or a webhook. Anything else may come from a proxy or a login gateway before the API server. */
const FORBIDDEN = /\bis forbidden: |\bdenied the request\b/
/** Only such requests pass through admission. */
const CHANGES = /^(create|patch|delete|deletecollection)$/

/** A quota is new, and the cluster has not counted yet what is used of it: that takes seconds. */
export const UNCOUNTED = /status unknown for quota/i

/** 403 means a missing right, a quota or an admission rule. */
function refused(status: ApiStatus, tried: Tried, message: string): Error {
  const said = status.message ?? ''
  if (/exceeded quota/i.test(said)) return new QuotaError(message, { hint: 'ask for less, or for a larger ResourceQuota' })
  if (UNCOUNTED.test(said)) return new RemoteError(message, { retryable: true })
  if (/violates PodSecurity/i.test(said)) return new InputError(message, { hint: 'give --run-as-user, or use another namespace' })
  if (/is being terminated/i.test(said)) return new RemoteError(message)
  const { verb, resource } = tried
  if (/usage per PersistentVolumeClaim/.test(said))
    return new QuotaError(message, { hint: "give a --storage-size that the namespace's LimitRange allows" })
  if (CHANGES.test(verb) && FORBIDDEN.test(said) && !UNAUTHORIZED.test(said))
    return new InputError(message, { hint: 'a policy of the cluster forbids it (no right is missing): ask those who run the cluster' })
  return new AuthError(message, {
    hint: `the right to ${verb} ${resource}${placeOf(tried)} is missing: see tpi permissions k8s`,
  })
}

/** For a refusal that may pass: the server was away and may not have loaded all rights yet, or has granted this one before. */
export function notYet(refusal: AuthError): RemoteError {
  return new RemoteError(`${refusal.message} (it may not have loaded all rights yet: it was away, or had granted this before)`, {
    cause: refusal,
    retryable: true,
  })
}

/** For a refusal of credentials that were accepted before: whoever waits goes on once the user has logged in again. */
export function expired(refusal: AuthError): RemoteError {
  const message = `${refusal.message} any more: log in again, and this goes on with the new login`
  return new ExpiredLogin(message, { cause: refusal, retryable: true })
}

/** If nobody logs in again in time, the command ends as for any other refusal. */
class ExpiredLogin extends RemoteError {
  override readonly exitCode = EXIT.denied
  override readonly outcome = 'denied'
}

/** A former run has left something under the name that is needed, and the cluster is removing it. */
export function stillThere(what: string): RemoteError {
  return new RemoteError(`k8s: ${what} of a former run is still being removed`, { retryable: true })
}

/** There was no answer at all. */
export function unreachable(server: string, error: unknown): RemoteError {
  const reason = messageOf(error)
  return new RemoteError(`k8s: the API server ${server} cannot be reached: ${reason}`, { cause: error, retryable: true })
}
