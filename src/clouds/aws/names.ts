/** Names of tpi's resources, and how they are found again: by id and incarnation, so that no run can touch another's. */
import type { Reference } from '../../core/cloud.ts'
import { shortName } from '../../core/identity.ts'
import { TWIN } from '../vm/names.ts'

export const TAG = {
  id: 'tpi:id',
  incarnation: 'tpi:incarnation',
  name: 'tpi:name',
  mode: 'tpi:mode',
  /** ISO: when the deployment ends at the latest. */
  until: 'tpi:until',
  /** All facts of a deployment, in pieces (`tags.ts`). */
  facts: 'tpi:facts-',
} as const

/** The path of roles and instance profiles that tpi makes. */
export const PATH = '/tpi/'

/** The role of machines whose caller may not create roles. Made once for an account. */
export const SHARED_ROLE = 'tpi-machine'

/** Whether a region is in a partition with logins and prices of its own: China, GovCloud, the European cloud, the isolated ones. */
export const isApart = (region: string): boolean => /^(?:cn|us-gov|us-iso\w*|eu-iso\w*|eusc)-/.test(region)

/** Name of group, template and security group: each may have at least 128 characters. */
export const groupName = ({ id, incarnation }: Reference): string => `${id}-${incarnation}`

/** 64 characters at most. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
export const roleName = (of: Reference): string => shortName(of, 64)

/** One for each account and region. Names of buckets are global, so each request names the owner. */
export const bucketName = (account: string, region: string): string => `tpi-${account}-${region}`

/** The scheduled action that ends a group at the deadline. */
export const SWITCH = 'tpi-deadline'

/** The group at full price beside a spot group (`spot: prefer`). */
export const twinName = (of: Reference): string => `${groupName(of)}${TWIN}`
