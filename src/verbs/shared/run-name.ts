/** The name of a run, even if the user gave none. */
import { NAME_LENGTH, petName, slug } from '../../core/identity.ts'
import type { VerbContext } from './context.ts'

/** As given; otherwise, in CI, made from run, job, matrix leg and step; elsewhere a new one. */
export function runName(context: VerbContext): string {
  const { name } = context.values
  // What looks like the id of another run is only a name here.
  if (name !== undefined) return slug(name, NAME_LENGTH)
  return context.owner.step ?? petName()
}
