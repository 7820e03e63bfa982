/** Whether an incarnation is still the current one: one rule for its machines and for controllers. */
import type { CurrentRecord } from './records.ts'

/** Why this incarnation must not go on, for people; `undefined`: it is the current one. */
export function removalOf(current: CurrentRecord | undefined, incarnation: string): string | undefined {
  if (current === undefined) return 'the run was removed'
  if (current.incarnation !== incarnation) return 'the run was created again'
  return current.state === 'destroying' ? 'the run is being removed' : undefined
}
