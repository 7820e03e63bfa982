/** Buckets whose objects expire at a certain age: a run that would need them for longer is refused. */
import { keptUntil } from '../wire/lifetime.ts'
import type { DeploymentTags } from './cloud.ts'
import type { Fault } from './errors.ts'

/** Days after which objects in the bucket of an account expire. */
export const EXPIRY = 90
/** Everything must be over so many days before. */
const MARGIN = 2
const DAY = 24 * 60 * 60_000

/** The fault of a run that would outlive its objects. `instead`: what the URL of a storage of the user's own looks like. */
export function expiryFaults({ createdAt, lifetime }: Pick<DeploymentTags, 'createdAt' | 'lifetime'>, instead: string): Fault[] {
  const days = (keptUntil(lifetime) - Date.parse(createdAt)) / DAY
  if (days <= EXPIRY - MARGIN) return []
  return [
    {
      option: 'timeout',
      message: `with retention, grace and reserve it is ${Math.ceil(days)} days, and the bucket removes what is ${EXPIRY} days old`,
      hint: `give a shorter timeout or retention, or another storage: \`storage: ${instead}\``,
    },
  ]
}
