/** Names of tpi's resources, and how they are found again: by id and incarnation, so that no run can touch another's. */
import type { Reference } from '../../core/cloud.ts'
import { shortName } from '../../core/identity.ts'

/** On machines and disks, and on the template that stands for their group, which can have none. */
export const LABEL = { id: 'tpi-id', incarnation: 'tpi-incarnation', name: 'tpi-name', mode: 'tpi-mode' } as const

/** All that is to be known of a deployment, in the metadata of its template. */
export const FACTS = 'tpi-facts'

/**
 * Of group, template, and the beginning of each machine's: 58 characters, to which the vendor adds five.
 * https://cloud.google.com/compute/docs/reference/rest/v1/regionInstanceGroupManagers (baseInstanceName)
 */
export const groupName = (of: Reference): string => shortName(of, MOST)
const MOST = 58

/** Beside a group of spot machines: one that takes over at the full price (`spot: prefer`). Its template and its autoscaler are called so, too. */
export const twinName = (of: Reference): string => `${shortName(of, MOST - TWIN.length)}${TWIN}`
const TWIN = '-on-demand'

/** Made once for a project: what machines are unless the user names another. */
export const MACHINE_ACCOUNT = 'tpi-machine'

export const accountOf = (project: string): string => {
  // A project of a domain: `example.com:name`.
  const [name = '', domain] = project.split(':').reverse()
  return `${MACHINE_ACCOUNT}@${name}.${domain === undefined ? '' : `${domain}.`}iam.gserviceaccount.com`
}

/** One for each project and region. Names of buckets are the world's: whose it is is looked at before it is used. */
export const bucketName = (project: string, region: string): string => `tpi-${project.replace(/[^a-z0-9-]/g, '-')}-${region}`

/** The last part of a URL of the vendor's: a zone, a machine, a type. */
export const last = (url: string | null | undefined): string => (url ?? '').split('/').at(-1) ?? ''
