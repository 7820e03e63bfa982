/** Option values of this room, checked as far as they can be without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import { listOf, textsOf, type VmSettings, vmSettings } from '../vm/settings.ts'
import { REGIONS } from './region.ts'

export interface Settings extends VmSettings {
  readonly profile?: string
  readonly vpc?: string
  readonly subnets: readonly string[]
  readonly securityGroups: readonly string[]
  readonly boundary?: string
}

/** Where nothing says which: what the vendor's own tools take is used before. */
const USUAL = 'us-east-1'

export function settingsOf({ values, env }: Pick<CloudContext, 'values' | 'env'>): Settings {
  return {
    ...vmSettings(REGIONS, values, env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? USUAL),
    ...textsOf(values, { profile: 'aws-profile', vpc: 'vpc', boundary: 'permissions-boundary' }),
    subnets: listOf(values['subnet']),
    securityGroups: listOf(values['security-group']),
  }
}
