/**
 * Answers of Blob Storage → kinds of the store contract, with what the user can do about it.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes
 */
import { unmarked } from '../../lib/text.ts'
import {
  BUSY,
  type CallError,
  CONFLICT,
  denied,
  type Meaning,
  meaningOf,
  refused,
  STALE,
  TRANSIENT,
  UNKNOWN_CALLER,
} from '../call-error.ts'
import type { HttpReply } from '../transport.ts'
import { parseXml, textOf } from '../xml.ts'

/** What was tried: for messages. */
export interface Attempted {
  /** As the documents call it: `Put Blob`. */
  readonly operation: string
  readonly account: string
  readonly container: string
  /** Full key or prefix in the container. */
  readonly key: string
  /** Nothing of these ever appears in a message. */
  readonly secrets: readonly string[]
}

const ROLE = denied('the role "Storage Blob Data Contributor" on the container is needed; one that was just given takes some minutes')
const HTTPS = denied('the storage account takes https only')
const MISSING: Meaning = ['gone', 'never', 'create the container, or correct `storage`']
const IMMUTABLE = denied('a policy of the container keeps objects from being changed: choose another')

/** By Azure's own code, which says more than the status. */
const CODES: Readonly<Record<string, Meaning>> = {
  AccountIsDisabled: denied('the storage account is disabled'),
  AuthenticationFailed: STALE,
  AuthorizationFailure: denied('a firewall of the storage account, or a missing role, keeps this caller out'),
  AuthorizationPermissionMismatch: ROLE,
  AuthorizationProtocolMismatch: HTTPS,
  AccountRequiresHttps: HTTPS,
  BlobAlreadyExists: CONFLICT,
  BlobImmutableDueToLegalHold: IMMUTABLE,
  BlobImmutableDueToPolicy: IMMUTABLE,
  ConditionNotMet: CONFLICT,
  ContainerBeingDeleted: ['gone', 'never', 'the container is being deleted'],
  ContainerNotFound: MISSING,
  InsufficientAccountPermissions: ROLE,
  InvalidAuthenticationInfo: STALE,
  InternalError: TRANSIENT,
  KeyBasedAuthenticationNotPermitted: denied('the storage account takes no account keys: sign in with "az login"'),
  LeaseIdMissing: denied('somebody holds a lease on it'),
  NoAuthenticationInformation: UNKNOWN_CALLER,
  OperationTimedOut: TRANSIENT,
  PendingCopyOperation: BUSY,
  ServerBusy: BUSY,
  TargetConditionNotMet: CONFLICT,
  UnauthorizedBlobOverwrite: ROLE,
}

const STATUSES: Readonly<Record<number, Meaning>> = {
  401: STALE,
  403: ROLE,
  404: MISSING,
  409: CONFLICT,
}

/** For an unknown conflict: not a race, but a state that something else gave the container or object. */
const STATE = denied('something other than tpi uses this container or object: correct that, or choose another container')

export function describe({ operation, account, container, key }: Attempted): string {
  return `${operation} az://${account}/${container}/${key}`
}

export function faultOf(reply: HttpReply, tried: Attempted): CallError {
  const { code, message } = saidIn(reply)
  const { status } = reply
  const known = Object.hasOwn(CODES, code) ? CODES[code] : status === 409 && code !== '' ? STATE : undefined
  return refused(reply, describe(tried), tried.secrets, { meaning: known ?? meaningOf(status, STATUSES), code, message })
}

/** The code is also in a header, for answers without a body. The rest of the message names a request and a time. */
function saidIn({ headers, body }: HttpReply): { readonly code: string; readonly message: string } {
  const header = headers['x-ms-error-code']
  const code = typeof header === 'string' ? header : ''
  try {
    const error = parseXml(unmarked(body.subarray(0, 65_536).toString('utf8')).trim())
    return { code: code || (textOf(error, 'Code') ?? ''), message: (textOf(error, 'Message') ?? '').split(/\r?\n/)[0] ?? '' }
  } catch {
    return { code, message: '' }
  }
}
