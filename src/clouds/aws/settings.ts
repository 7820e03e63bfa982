/** Option values of AWS and names of its regions, checked as far as possible without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import { serviceHost } from '../../vendors/aws/service.ts'
import type { DataNames } from '../vm/data.ts'
import type { MountNames } from '../vm/mounts.ts'
import type { RegionNames } from '../vm/region.ts'
import { listOf, textsOf, type VmSettings, vmSettings } from '../vm/settings.ts'

export interface Settings extends VmSettings {
  readonly profile?: string
  readonly vpc?: string
  readonly subnets: readonly string[]
  readonly securityGroups: readonly string[]
  readonly boundary?: string
}

export const REGIONS: RegionNames = {
  vendor: 'AWS',
  // The regions that TPI used for these names.
  generic: { 'us-east': 'us-east-1', 'us-west': 'us-west-1', 'eu-north': 'eu-north-1', 'eu-west': 'eu-west-1' },
  native: /^([a-z]{2,4}(?:-[a-z]+)+-\d)([a-z])?$/,
  such: 'us-west-2 or us-west-2b',
}

/** File systems of EFS have names below the domain of the region. https://docs.aws.amazon.com/efs/latest/ug/mounting-fs-mount-cmd-dns-name.html */
const MOUNTS: MountNames = {
  such: 'fs-0123456789abcdef0:/data (EFS)',
  own: /^(fs-(?:[0-9a-f]{8}|[0-9a-f]{17}))$/,
  source: ([, id], region) => `${serviceHost(`${id}.efs`, region)}:/`,
  options: 'nfsvers=4.1,noresvport',
}

const DATA: DataNames = { url: /^s3:\/\/[a-z0-9][a-z0-9._-]{1,61}[a-z0-9](?:\/[^\s?#%]*)?$/, such: 's3://BUCKET/PREFIX' }

/** The region if neither an option nor a variable of the vendor's tools names one. */
const USUAL = 'us-east-1'

/** `at`: which of several regions. */
export function settingsOf({ values, env }: Pick<CloudContext, 'values' | 'env'>, at?: string): Settings {
  return {
    ...vmSettings(
      { regions: REGIONS, mounts: MOUNTS, data: DATA, usual: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || USUAL },
      values,
      at,
    ),
    ...textsOf(values, { profile: 'aws-profile', vpc: 'vpc', boundary: 'permissions-boundary' }),
    subnets: listOf(values['subnet']),
    securityGroups: listOf(values['security-group']),
  }
}
