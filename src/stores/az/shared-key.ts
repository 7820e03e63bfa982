/** Signs a call with the key of a storage account. https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key */
import { createHmac } from 'node:crypto'

export interface Signed {
  readonly method: string
  /** As it is sent, from the root of the server, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** In small letters, with `x-ms-date` and `x-ms-version`. */
  readonly headers: Readonly<Record<string, string>>
}

/** Headers whose values are signed without their names, in this order. */
const STANDARD = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
]

/** The value of `authorization`. `key` in Base64, as Azure shows it. */
export function sharedKey(account: string, key: string, { method, path, query, headers }: Signed): string {
  const standard = STANDARD.map((name) => (name === 'content-length' && headers[name] === '0' ? '' : (headers[name] ?? '')))
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${(headers[name] ?? '').trim()}`)
  const params = Object.keys(query)
    .sort()
    .map((name) => `${name.toLowerCase()}:${query[name]}`)
  const text = [method, ...standard, ...own, `/${account}${path}`, ...params].join('\n')
  return `SharedKey ${account}:${createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')}`
}
