/** Names of tpi's resources, and how they are found again: by id and incarnation, so that no run can touch another's. */
import type { Reference } from '../../core/cloud.ts'
import { shortName } from '../../core/identity.ts'

export const TAG = {
  id: 'tpi:id',
  incarnation: 'tpi:incarnation',
  name: 'tpi:name',
  mode: 'tpi:mode',
  /** ISO: nothing of it runs past it. */
  until: 'tpi:until',
  /** All that is to be known of a deployment, in pieces (`tags.ts`). */
  facts: 'tpi:facts-',
} as const

/** Of roles and instance profiles. */
export const PATH = '/tpi/'

/** Made once for an account: what machines are where their caller may make no roles. */
export const SHARED_ROLE = 'tpi-machine'

/** Group, template, security group: the vendor takes 128 characters and more. */
export const groupName = ({ id, incarnation }: Reference): string => `${id}-${incarnation}`

/** 64 characters at most. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
export const roleName = (of: Reference): string => shortName(of, 64)

/** One for each account and region. Names of buckets are the world's: whose it is is asked with every call. */
export const bucketName = (account: string, region: string): string => `tpi-${account}-${region}`

export const SWITCH = 'tpi-deadline'

/** Beside a group of spot machines: one that takes over at the full price (`spot: prefer`). */
export const twinName = (of: Reference): string => `${groupName(of)}${TWIN}`
export const TWIN = '-on-demand'
