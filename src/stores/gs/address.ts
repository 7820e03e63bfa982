/** Where a bucket of Google is on the network: a machine that has just been born, and has no client yet, finds it there too. */
import { StoreError, type StorePlace } from '../../wire/store.ts'
import { type BucketPlace, bucketPlace } from '../bucket-url.ts'

export interface GsPlace extends BucketPlace {
  readonly endpoint: URL
}

const GOOGLE = 'https://storage.googleapis.com'
/** The part of an address that gcloud's own variable has at its end; uploads have another one. */
const API = /\/(storage\/v1\/?)?$/

export function gsPlace(place: StorePlace): GsPlace {
  return { ...bucketPlace(new URL(place.url)), endpoint: gsEndpoint(place.settings?.['endpoint'] ?? GOOGLE) }
}

/** Checks what travelled as text. Throws kind `invalid`. */
export function gsEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const right = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === ''
  if (!right) throw new StoreError('invalid', 'storage: the endpoint of Cloud Storage must be http(s)://host[:port], without credentials')
  url.pathname = url.pathname.replace(API, '')
  return url
}

/** As in a path: everything but letters, digits and `-_.~`, slashes too (https://docs.cloud.google.com/storage/docs/request-endpoints#encoding). */
export function escaped(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Path of an object, or of all of them, below the endpoint. */
export function objectPath(bucket: string, key?: string): string {
  return `/storage/v1/b/${escaped(bucket)}/o${key === undefined ? '' : `/${escaped(key)}`}`
}
