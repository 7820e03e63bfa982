/** The address of a container of Azure, also used by a new machine that has no client yet. */
import { uriEncodedPath } from '../../lib/uri.ts'
import type { StorePlace } from '../../wire/store.ts'
import { bucketPlace, checkedEndpoint } from '../bucket-url.ts'

export interface AzPlace {
  readonly account: string
  readonly container: string
  /** Empty, or ends in `/`. */
  readonly prefix: string
  /** With the account in its path, if it is not Azure's own endpoint. */
  readonly endpoint: URL
}

/** `az://account/container/prefix`. */
export function azPlace(place: StorePlace): AzPlace {
  const { bucket: account, prefix: path } = bucketPlace(new URL(place.url))
  const [container = '', ...rest] = path.split('/')
  const endpoint = azEndpoint(place.settings?.['endpoint'] ?? `https://${account}.blob.core.windows.net`)
  return { account, container, prefix: rest.join('/'), endpoint }
}

/** Checks an address that came as text. Throws kind `invalid`. */
export function azEndpoint(text: string): URL {
  return checkedEndpoint(text, 'the endpoint of Blob Storage', 'http(s)://host[:port][/account]')
}

/**
 * Blobs are listed by their names, and nobody says how names beyond ASCII compare: their bytes are written `~XX`, which sorts as the bytes do; so is
 * `~` itself, the last of ASCII. A backslash, which Azure takes for a slash, becomes `[~~`: behind everything that begins with `[`, before `]`.
 */
export function blobName(key: string): string {
  return key.replace(/\\|[^ -}]+/g, (part) =>
    part === '\\' ? BACKSLASH : [...Buffer.from(part)].map((byte) => `~${byte.toString(16).toUpperCase()}`).join(''),
  )
}

export function keyOf(name: string): string {
  return name.replace(/\[~~|(?:~[0-9A-F]{2})+/g, (part) =>
    part === BACKSLASH ? '\\' : Buffer.from(part.replaceAll('~', ''), 'hex').toString('utf8'),
  )
}

const BACKSLASH = '[~~'

/** Path of an object, or of the container, below the endpoint. Slashes stay. */
export function blobPath({ container }: Pick<AzPlace, 'container'>, key?: string): string {
  return `/${container}${key === undefined ? '' : `/${uriEncodedPath(blobName(key))}`}`
}
