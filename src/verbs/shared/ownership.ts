/** What belongs to whom, and what a command without a name means. */
import type { Owner } from '../../core/identity.ts'
import type { Origin } from '../../wire/records.ts'
import type { VerbContext } from './context.ts'

/**
 * Whether a run was made by this job or, outside CI, by this user on this host. `job` is known only to the action, which is told its matrix leg.
 * A command in a job knows the runner that it is on (`place`), and so finds what was made there.
 */
export function ownedBy(owner: Owner, origin: Origin): boolean {
  const { run, repository, user, ...mine } = owner.origin
  const isSame = (fact: 'job' | 'place' | 'step'): boolean => mine[fact] !== undefined && mine[fact] === origin[fact]
  // A step that does not know its leg has the same name in all of them: it is compared only if the run has no better fact.
  const isOld = origin.job === undefined && origin.place === undefined
  if (run !== undefined)
    return origin.run === run && origin.repository === repository && (isSame('job') || isSame('place') || (isOld && isSame('step')))
  return user !== undefined && origin.user === user
}

/** In CI: made by any run of this repository; elsewhere everything that can be seen from here. */
export function sameHouse(owner: Owner, origin: Origin): boolean {
  return owner.origin.repository === undefined || origin.repository === owner.origin.repository
}

/** In CI: made by a run of another repository. */
export function isOfOtherRepository(owner: Owner, { repository }: Origin): boolean {
  return owner.origin.repository !== undefined && repository !== undefined && repository !== owner.origin.repository
}

/** Whether a verb means this run: the one that it names, or without a name, all of `sameHouse`. */
export function isMeant(
  { values, owner }: Pick<VerbContext, 'values' | 'owner'>,
  { id, name, origin }: { readonly id: string; readonly name: string; readonly origin: Origin },
): boolean {
  return values.name === undefined ? sameHouse(owner, origin) : values.name === id || values.name === name
}
