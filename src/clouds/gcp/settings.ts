/** Option values of this room, checked as far as they can be without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import { textsOf, type VmSettings, vmSettings } from '../vm/settings.ts'
import { REGIONS } from './region.ts'

export interface Settings extends VmSettings {
  readonly project?: string
  readonly network?: string
  readonly subnetwork?: string
}

/** Where nothing says which: what the vendor's own tools take is used before. */
const USUAL = 'us-central1'

export function settingsOf({ values, env }: Pick<CloudContext, 'values' | 'env'>): Settings {
  const surroundings = env['GOOGLE_CLOUD_REGION'] || env['CLOUDSDK_COMPUTE_REGION'] || env['CLOUDSDK_COMPUTE_ZONE']
  return {
    ...vmSettings(REGIONS, values, surroundings || USUAL),
    ...textsOf(values, { project: 'gcp-project', network: 'network', subnetwork: 'subnetwork' }),
  }
}
