/** The name of a run, also of one that was given none. */
import { NAME_LENGTH, petName, slug } from '../../core/identity.ts'
import type { VerbContext } from './context.ts'

/** As given; in CI from run, job, leg and step; otherwise a fresh one. */
export function runName(context: VerbContext): string {
  const { name } = context.values
  // Even an id of another run is only a name here.
  if (name !== undefined) return slug(name, NAME_LENGTH)
  return context.owner.step ?? petName()
}
