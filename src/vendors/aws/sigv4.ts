/**
 * AWS Signature Version 4 in headers, as its public specification describes it. Time and credentials are arguments.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHmac } from 'node:crypto'
import { sha256 } from '../../lib/sha256.ts'
import { uriEncoded } from '../../lib/uri.ts'

export interface SigningKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export interface Signable {
  readonly method: string
  readonly host: string
  /** Escaped, as it goes over the wire. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case; all of them are signed. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 (hex) of the body. */
  readonly bodyHash: string
}

export interface Scope {
  readonly region: string
  readonly service: string
  readonly date: Date
}

/** The headers to send: those given, and what the signature needs. */
export function sign(request: Signable, credentials: SigningKeys, scope: Scope): Readonly<Record<string, string>> {
  const stamp = timestamp(scope.date)
  const headers: Record<string, string> = { ...request.headers, host: request.host, 'x-amz-date': stamp }
  if (scope.service === 's3') headers['x-amz-content-sha256'] = request.bodyHash
  if (credentials.sessionToken) headers['x-amz-security-token'] = credentials.sessionToken
  const names = Object.keys(headers).sort()
  const canonical = canonicalRequest({ ...request, headers }, names)
  const place = `${stamp.slice(0, 8)}/${scope.region}/${scope.service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', stamp, place, sha256(canonical)].join('\n')
  const signature = hmac(signingKey(credentials.secretAccessKey, scope, stamp), text).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${place}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...headers, authorization }
}

function canonicalRequest(request: Signable, names: readonly string[]): string {
  const lines = names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`)
  return [request.method, request.path, queryString(request.query), ...lines, '', names.join(';'), request.bodyHash].join('\n')
}

/** Sorted and escaped: the same text is signed and sent. */
export function queryString(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${uriEncoded(name)}=${uriEncoded(value)}`)
  return pairs.sort().join('&')
}

/** At most this many keys are kept for later requests of the same day. */
const KEPT = 16
const kept = new Map<string, Buffer>()

/** The key of one day, region and service. */
export function signingKey(secret: string, { region, service }: Omit<Scope, 'date'>, stamp: string): Buffer {
  const parts = [stamp.slice(0, 8), region, service, 'aws4_request']
  const of = JSON.stringify([secret, ...parts])
  const there = kept.get(of)
  if (there) return there
  const made = parts.reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`))
  if (kept.size >= KEPT) kept.clear()
  kept.set(of, made)
  return made
}

function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** `20130524T000000Z` */
function timestamp(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d{3}/g, '')
}
