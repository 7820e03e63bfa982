/** Names of Google's regions. */
import type { RegionNames } from '../vm/region.ts'

export const REGIONS: RegionNames = {
  vendor: 'Google Cloud',
  // As TPI translated them, without its zones: a group has all of a region's.
  generic: { 'us-east': 'us-east1', 'us-west': 'us-west1', 'eu-north': 'europe-north1', 'eu-west': 'europe-west1' },
  native: /^([a-z]+-[a-z]+\d+)(-[a-z])?$/,
  such: 'us-central1 or us-central1-b',
}
