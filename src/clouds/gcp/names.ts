/** Names of tpi's resources, and labels by which they are found again. They have id and incarnation, so that no run can touch another's. */
import type { Reference } from '../../core/cloud.ts'
import { shortName } from '../../core/identity.ts'
import { shortTwinName } from '../vm/names.ts'

/** Labels of machines and disks, and of templates: groups have none, so the template has those of its group. */
export const LABEL = { id: 'tpi-id', incarnation: 'tpi-incarnation', name: 'tpi-name', mode: 'tpi-mode' } as const

/** All facts of a deployment, in the metadata of its template. */
export const FACTS = 'tpi-facts'

/**
 * Name of the group and the template, and prefix of the machines' names: 58 characters, to which the vendor adds five.
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers (baseInstanceName)
 */
export const groupName = (of: Reference): string => shortName(of, MOST)
const MOST = 58

/** The group at full price beside a spot group (`spot: prefer`). Its template and its autoscaler have the same name. */
export const twinName = (of: Reference): string => shortTwinName(of, MOST)

/** Made once for a project: the service account of machines unless the user names another. */
export const MACHINE_ACCOUNT = 'tpi-machine'

export const accountOf = (project: string): string => {
  // A project of a domain has the form `example.com:name`.
  const [name = '', domain] = project.split(':').reverse()
  return `${MACHINE_ACCOUNT}@${name}.${domain === undefined ? '' : `${domain}.`}iam.gserviceaccount.com`
}

/** One for each project and region. Names of buckets are global, so the owner is checked before the bucket is used. */
export const bucketName = (project: string, region: string): string => `tpi-${project.replace(/[^a-z0-9-]/g, '-')}-${region}`
