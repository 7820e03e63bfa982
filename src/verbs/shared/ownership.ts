/** What belongs to whom, for `--mine`. */
import type { Owner } from '../../core/identity.ts'
import type { Origin } from '../../wire/records.ts'

/** In CI: made by this job or step; elsewhere: by this user on this host. */
export function ownedBy(owner: Owner, origin: Origin): boolean {
  const { run, repository, user } = owner.origin
  if (run !== undefined) return origin.run === run && origin.repository === repository && origin.step === owner.origin.step
  return user !== undefined && origin.user === user
}

/** In CI: made by any run of this repository; elsewhere everything that can be seen from here. */
export function sameHouse(owner: Owner, origin: Origin): boolean {
  return owner.origin.repository === undefined || origin.repository === owner.origin.repository
}
