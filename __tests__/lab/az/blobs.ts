/**
 * Judges calls of Blob Storage before they reach Azurite, which accepts every token:
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-azure-active-directory#permissions-for-blob-service-operations
 */
import type { Passed } from '../vm/relay.ts'
import type { Account, Who } from './account.ts'
import { type Resources, SUBSCRIPTION } from './resources.ts'

interface Judged {
  readonly verb: string
  /** `/<account>/<container>/<blob>` */
  readonly url: URL
  readonly who: Who
  readonly account: Account
  readonly resources: Resources
  /** Who reads what is copied, if something is. */
  readonly copied?: { readonly by: Who | undefined }
}

const BLOBS = 'Microsoft.Storage/storageAccounts/blobServices/containers/blobs'
const CONTAINER = 'Microsoft.Storage/storageAccounts/blobServices/containers'

/** `undefined`: it may. */
export function blobRefusal({ verb, url, who, account, resources, copied }: Judged): Passed | undefined {
  const [, , name = '', ...blob] = url.pathname.split('/')
  const container = resources.ofType(CONTAINER).find((one) => one.name === name)
  const scope = container?.id ?? `/subscriptions/${SUBSCRIPTION}`
  const action = actionOf(verb, blob.length > 0, url.searchParams)
  // The right to read what is copied is proved by a header of its own: https://learn.microsoft.com/rest/api/storageservices/copy-blob-from-url#request-headers
  const reads = copied === undefined || (copied.by !== undefined && account.may(copied.by, `${BLOBS}/read`, scope, 'dataActions'))
  if (reads && account.may(who, action, scope, 'dataActions')) return undefined
  // https://learn.microsoft.com/rest/api/storageservices/status-and-error-codes2
  const code = 'AuthorizationPermissionMismatch'
  const message = 'This request is not authorized to perform this operation using this permission.'
  const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`)
  const headers = { 'content-type': 'application/xml', 'x-ms-error-code': code, 'content-length': String(body.length) }
  return { status: 403, headers, body: verb === 'HEAD' ? Buffer.alloc(0) : body }
}

function actionOf(verb: string, blob: boolean, query: URLSearchParams): string {
  const lists = verb === 'GET' && query.get('restype') === 'container' && query.get('comp') === 'list'
  if (lists || (blob && (verb === 'GET' || verb === 'HEAD'))) return `${BLOBS}/read`
  if (blob && verb === 'PUT') return `${BLOBS}/write`
  if (blob && verb === 'DELETE') return `${BLOBS}/delete`
  throw new Error(`the lab does not know what ${verb} ?${query.toString()} of Blob Storage needs`)
}
