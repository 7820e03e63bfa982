/** Names of regions: those of every cloud alike, and Azure's own. */
import type { RegionNames } from '../vm/region.ts'

/** The second group is the number of a zone: `westeurope-2`. */
export const REGIONS: RegionNames = {
  vendor: 'Azure',
  // As TPI translated them.
  generic: { 'us-east': 'eastus', 'us-west': 'westus2', 'eu-north': 'northeurope', 'eu-west': 'westeurope' },
  native: /^([a-z]+\d?)(-[123])?$/,
  such: 'westeurope or westeurope-2',
}
