/** Option values of this room, and names of its regions, checked as far as they can be without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import type { MountNames } from '../vm/mounts.ts'
import type { RegionNames } from '../vm/region.ts'
import { textsOf, type VmSettings, vmSettings } from '../vm/settings.ts'

export interface Settings extends VmSettings {
  readonly subscription?: string
  /** Of the user's own, in which everything is made, rather than in one of its own. */
  readonly resourceGroup?: string
  readonly subnet?: string
}

/** The second group is the number of a zone: `westeurope-2`. */
export const REGIONS: RegionNames = {
  vendor: 'Azure',
  // As TPI translated them.
  generic: { 'us-east': 'eastus', 'us-west': 'westus2', 'eu-north': 'northeurope', 'eu-west': 'westeurope' },
  native: /^([a-z]+\d?)(-[123])?$/,
  such: 'westeurope or westeurope-2',
}

/** https://learn.microsoft.com/azure/storage/files/storage-files-how-to-mount-nfs-shares */
const MOUNTS: MountNames = {
  vendor: 'Azure',
  such: 'ACCOUNT/SHARE:/data (NFS share of Azure Files)',
  own: /^([a-z0-9]{3,24})\/([a-z0-9](?:-?[a-z0-9]){2,62})$/,
  source: ([, account, share]) => `${account}.file.core.windows.net:/${account}/${share}`,
  options: 'nfsvers=4.1,sec=sys',
}

/** Where nothing says which: what the vendor's own tools take is used before. */
const USUAL = 'eastus'

export function settingsOf({ values, env }: Pick<CloudContext, 'values' | 'env'>): Settings {
  return {
    ...vmSettings({ regions: REGIONS, mounts: MOUNTS, usual: env['AZURE_DEFAULTS_LOCATION'] || env['AZURE_LOCATION'] || USUAL }, values),
    ...textsOf(values, { subscription: 'azure-subscription', resourceGroup: 'resource-group', subnet: 'azure-subnet' }),
  }
}
