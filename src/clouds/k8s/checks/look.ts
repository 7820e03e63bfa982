/** Checks that need more rights than a run does: a caller without them gets a warning, because the run may work all the same. */
import { type Check, looked } from '../../../core/check.ts'
import { ifDenied } from '../../../core/errors.ts'

export async function glimpse(what: string, whyNot: string, look: () => Promise<Check>): Promise<Check> {
  return looked(what, async () => look().catch(ifDenied<Check>({ what, state: 'warning', says: `cannot be checked: ${whyNot}` })))
}
