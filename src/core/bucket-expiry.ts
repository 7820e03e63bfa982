/** Stores whose objects expire at a certain age: a run that needs them longer must not start. */
import { keptUntil } from '../wire/lifetime.ts'
import type { DeploymentTags } from './cloud.ts'
import type { Fault } from './errors.ts'

/** Days after which objects in the bucket of an account expire. */
export const EXPIRY = 90
/** Days before that by which everything must be over. */
const MARGIN = 2
const DAY = 24 * 60 * 60_000

/** Objects expire by their age, even if they are still needed. `instead`: a storage of the user's own. */
export function expiryFaults({ createdAt, lifetime }: Pick<DeploymentTags, 'createdAt' | 'lifetime'>, instead: string): Fault[] {
  const days = (keptUntil(lifetime) - Date.parse(createdAt)) / DAY
  if (days <= EXPIRY - MARGIN) return []
  return [
    {
      option: 'timeout',
      message: `with retention, grace and reserve it is ${Math.ceil(days)} days, and the bucket removes what is ${EXPIRY} days old`,
      hint: `give a shorter timeout or retention, or another storage: --storage ${instead}`,
    },
  ]
}
