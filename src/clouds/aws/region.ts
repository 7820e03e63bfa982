/** Names of AWS's regions. */
import type { RegionNames } from '../vm/region.ts'

export const REGIONS: RegionNames = {
  vendor: 'AWS',
  // As TPI translated them.
  generic: { 'us-east': 'us-east-1', 'us-west': 'us-west-1', 'eu-north': 'eu-north-1', 'eu-west': 'eu-west-1' },
  native: /^([a-z]{2,3}(?:-[a-z]+)+-\d)([a-z])?$/,
  such: 'us-west-2 or us-west-2b',
}
