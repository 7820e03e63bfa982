/** A store in a bucket, as a machine that has no client yet is told of it. */
import { addressOf, whereaboutsOf } from '../stores/s3/address.ts'
import { layout } from '../wire/layout.ts'
import type { StorePlace } from '../wire/store.ts'
import type { BirthStore } from './user-data.ts'

/** `owner`: the account that the bucket must belong to. */
export function bucketBirth(place: StorePlace, id: string, incarnation: string, owner?: string): BirthStore {
  const whereabouts = whereaboutsOf(place)
  const { protocol, host, path } = addressOf(whereabouts)
  return {
    url: `${protocol}//${host}${path}/`,
    at: whereabouts.prefix + layout(id, incarnation).agent(''),
    region: whereabouts.region,
    ...(owner !== undefined && { owner }),
  }
}
