/** Option values of this room, checked as far as they can be without an account. */
import type { CloudContext } from '../../core/cloud.ts'
import { InputError } from '../../core/errors.ts'
import { type RegionWish, regionFaults, regionOf } from './region.ts'

export interface Settings extends RegionWish {
  /** The user said which region: no other one is meant. */
  readonly named: boolean
  readonly profile?: string
  readonly vpc?: string
  readonly subnets: readonly string[]
  readonly securityGroups: readonly string[]
  readonly publicAddress?: boolean
  readonly customerKey?: string
  readonly boundary?: string
  /** The script's user may become root. */
  readonly sudo: boolean
}

/** Where nothing says which: what the vendor's own tools take is used before. */
const USUAL = 'us-east-1'

export function settingsOf({ values, env }: Pick<CloudContext, 'values' | 'env'>): Settings {
  const wished = text(values['region']) ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? USUAL
  const [fault] = regionFaults(wished)
  const place = regionOf(wished)
  if (fault || !place) throw new InputError([{ option: 'region', ...fault, message: `region: ${fault?.message ?? 'not known'}` }])
  const profile = text(values['aws-profile'])
  const vpc = text(values['vpc'])
  const customerKey = text(values['customer-key'])
  const boundary = text(values['permissions-boundary'])
  const address = values['public-address']
  return {
    ...place,
    named: text(values['region']) !== undefined,
    ...(profile !== undefined && { profile }),
    ...(vpc !== undefined && { vpc }),
    sudo: values['sudo'] !== false,
    subnets: list(values['subnet']),
    securityGroups: list(values['security-group']),
    ...((address === 'true' || address === 'false') && { publicAddress: address === 'true' }),
    ...(customerKey !== undefined && { customerKey }),
    ...(boundary !== undefined && { boundary }),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : []
}
