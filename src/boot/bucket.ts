/** Where a new machine, which has no client for stores yet, finds the programs in a bucket. */
import { uriEncoded } from '../lib/uri.ts'
import { azPlace, blobName } from '../stores/az/address.ts'
import { gsPlace } from '../stores/gs/address.ts'
import { addressOf, bucketAddress } from '../stores/s3/address.ts'
import { layout } from '../wire/layout.ts'
import type { StorePlace } from '../wire/store.ts'
import type { ProgramSource } from './user-data.ts'

/** The address of the bucket, and the prefix of the store's keys in it. */
type Whereabouts = Pick<ProgramSource, 'url' | 'region' | 'owner'> & { readonly prefix: string }

const SCHEMES: Readonly<Record<string, (place: StorePlace) => Whereabouts>> = {
  'az:': (place) => {
    const { endpoint, container, prefix } = azPlace(place)
    return { url: `${endpoint.href.replace(/\/$/, '')}/${container}/`, prefix: blobName(prefix) }
  },
  'gs:': (place) => {
    const { endpoint, bucket, prefix } = gsPlace(place)
    return { url: `${endpoint.href.replace(/\/$/, '')}/storage/v1/b/${uriEncoded(bucket)}/o/`, prefix }
  },
  's3:': (place) => {
    const { prefix, region, owner, ...whereabouts } = bucketAddress(place)
    const { protocol, host, path } = addressOf({ ...whereabouts, region })
    return { url: `${protocol}//${host}${path}/`, region, ...(owner !== undefined && { owner }), prefix }
  },
}

export function programSource(place: StorePlace, id: string, incarnation: string): ProgramSource {
  const { protocol } = new URL(place.url)
  const scheme = SCHEMES[protocol]
  if (!scheme) throw new Error(`new machines cannot fetch their programs from "${protocol}"`)
  const { url, prefix, ...more } = scheme(place)
  return { url, at: prefix + layout(id, incarnation).agent(''), ...more }
}
