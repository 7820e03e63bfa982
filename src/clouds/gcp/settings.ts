/** Option values of Google Cloud and names of its regions, checked as far as possible without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import type { DataNames } from '../vm/data.ts'
import type { MountNames } from '../vm/mounts.ts'
import type { RegionNames } from '../vm/region.ts'
import { textsOf, type VmSettings, vmSettings } from '../vm/settings.ts'

export interface Settings extends VmSettings {
  readonly project?: string
  readonly network?: string
  readonly subnetwork?: string
}

export const REGIONS: RegionNames = {
  vendor: 'Google Cloud',
  // The regions that TPI used for these names, without its zones: a group uses all zones of a region.
  generic: { 'us-east': 'us-east1', 'us-west': 'us-west1', 'eu-north': 'europe-north1', 'eu-west': 'europe-west1' },
  native: /^([a-z]+-[a-z]+\d+)(-[a-z])?$/,
  such: 'us-central1 or us-central1-b',
}

/** File systems of Filestore are named by address. https://docs.cloud.google.com/filestore/docs/mounting-fileshares */
const MOUNTS: MountNames = { such: '10.0.0.2:/share1:/data (Filestore)' }

const DATA: DataNames = { url: /^gs:\/\/[a-z0-9][a-z0-9._-]{1,220}[a-z0-9](?:\/[^\s?#%]*)?$/, such: 'gs://BUCKET/PREFIX' }

/** The region if neither an option nor a variable of the vendor's own tools names one. */
const USUAL = 'us-central1'

/** `at`: which of several regions. */
export function settingsOf({ values, env }: Pick<CloudContext, 'values' | 'env'>, at?: string): Settings {
  const ofEnvironment = env['GOOGLE_CLOUD_REGION'] || env['CLOUDSDK_COMPUTE_REGION'] || env['CLOUDSDK_COMPUTE_ZONE']
  return {
    ...vmSettings({ regions: REGIONS, mounts: MOUNTS, data: DATA, usual: ofEnvironment || USUAL }, values, at),
    ...textsOf(values, { project: 'gcp-project', network: 'network', subnetwork: 'subnetwork' }),
  }
}
