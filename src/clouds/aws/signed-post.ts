/** A request to a service of AWS without its SDK. */

import { sha256 } from '../../lib/sha256.ts'
import { type Scope, type SigningKeys, sign } from '../../vendors/aws/sigv4.ts'

interface Post {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The request as it is sent: with the headers that the signature needs. */
export function signedPost(
  url: URL,
  { headers, body }: Post,
  held: Partial<SigningKeys>,
  scope: Scope,
): Post & { readonly method: 'POST' } {
  const { accessKeyId = '', secretAccessKey = '', sessionToken } = held
  const request = { method: 'POST', host: url.host, path: url.pathname, query: {}, headers, bodyHash: sha256(body) } as const
  return { method: 'POST', headers: sign(request, { accessKeyId, secretAccessKey, sessionToken }, scope), body }
}
