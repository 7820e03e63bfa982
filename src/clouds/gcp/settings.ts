/** Option values of this room, checked as far as they can be without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import { type RegionWish, regionFaults, regionOf } from './region.ts'

export interface Settings extends RegionWish {
  readonly project?: string
  readonly network?: string
  readonly subnetwork?: string
  readonly publicAddress?: boolean
  readonly customerKey?: string
  /** Where the user named one. */
  readonly storage?: string
  /** The script's user may become root. */
  readonly sudo: boolean
}

/** Where nothing says which: what the vendor's own tools take is used before. */
const USUAL = 'us-central1'

export function settingsOf({ values, env }: Pick<CloudContext, 'values' | 'env'>): Settings {
  const surroundings = env['GOOGLE_CLOUD_REGION'] || env['CLOUDSDK_COMPUTE_REGION'] || env['CLOUDSDK_COMPUTE_ZONE']
  const wished = text(values['region']) ?? surroundings ?? USUAL
  const [fault] = regionFaults(wished)
  const place = regionOf(wished)
  if (fault || !place) throw new InputError([{ option: 'region', ...fault, message: `region: ${fault?.message ?? 'not known'}` }])
  const project = text(values['gcp-project'])
  const network = text(values['network'])
  const subnetwork = text(values['subnetwork'])
  const customerKey = text(values['customer-key'])
  const storage = text(values['storage'])
  const address = values['public-address']
  return {
    ...place,
    sudo: values['sudo'] !== false,
    ...(project !== undefined && { project }),
    ...(storage !== undefined && { storage }),
    ...(network !== undefined && { network }),
    ...(subnetwork !== undefined && { subnetwork }),
    ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
    ...(customerKey !== undefined && { customerKey }),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
