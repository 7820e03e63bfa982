/** The address of a bucket of Google, also used by a new machine that has no client yet. */
import { uriEncoded } from '../../lib/uri.ts'
import type { StorePlace } from '../../wire/store.ts'
import { type BucketPlace, bucketPlace, checkedEndpoint } from '../bucket-url.ts'

export interface GsPlace extends BucketPlace {
  readonly endpoint: URL
}

const GOOGLE = 'https://storage.googleapis.com'
/** The part of an address that gcloud's own variable has at its end; uploads have another one. */
const API = /\/(storage\/v1\/?)?$/

export function gsPlace(place: StorePlace): GsPlace {
  return { ...bucketPlace(new URL(place.url)), endpoint: gsEndpoint(place.settings?.['endpoint'] ?? GOOGLE) }
}

/** Checks an address that came as text. Throws kind `invalid`. */
export function gsEndpoint(text: string): URL {
  const url = checkedEndpoint(text, 'the endpoint of Cloud Storage')
  url.pathname = url.pathname.replace(API, '')
  return url
}

/** Path of an object, or of all of them, below the endpoint. https://docs.cloud.google.com/storage/docs/request-endpoints#encoding */
export function objectPath(bucket: string, key?: string): string {
  return `/storage/v1${objectIn(bucket, key)}`
}

/** Path of a copy within the bucket. https://docs.cloud.google.com/storage/docs/json_api/v1/objects/rewrite */
export function copyPath(bucket: string, from: string, to: string): string {
  return `${objectPath(bucket, from)}/rewriteTo${objectIn(bucket, to)}`
}

function objectIn(bucket: string, key?: string): string {
  return `/b/${uriEncoded(bucket)}/o${key === undefined ? '' : `/${uriEncoded(key)}`}`
}
