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

/** How keys and names of blobs correspond. */
export interface Naming {
  readonly nameOf: (key: string) => string
  readonly keyOf: (name: string) => string
}

/**
 * The name of the blob for a key. Blobs are listed by name, and it is not documented how characters beyond ASCII compare. So their bytes are written
 * `~XX`, which sorts as the bytes do, and so is `~` itself, the last character of ASCII. Azure takes a backslash for a slash, so that becomes
 * `[~~`, which comes after everything that begins with `[`, and before `]`.
 */
export function blobName(key: string): string {
  return key.replace(/\\|[^ -}]+/g, (part) =>
    part === '\\' ? BACKSLASH : [...Buffer.from(part)].map((byte) => `~${byte.toString(16).toUpperCase()}`).join(''),
  )
}

function keyOf(name: string): string {
  return name.replace(/\[~~|(?:~[0-9A-F]{2})+/g, (part) =>
    part === BACKSLASH ? '\\' : Buffer.from(part.replaceAll('~', ''), 'hex').toString('utf8'),
  )
}

const BACKSLASH = '[~~'

/** Of what tpi has written. */
export const OURS: Naming = { nameOf: blobName, keyOf }
/** Of what others have written, which keeps its names. */
export const THEIRS: Naming = { nameOf: (key) => key, keyOf: (name) => name }

/** Path of a blob, or of the container, below the endpoint. Slashes stay. */
export function blobPath({ container }: Pick<AzPlace, 'container'>, name?: string): string {
  return `/${container}${name === undefined ? '' : `/${uriEncodedPath(name)}`}`
}
