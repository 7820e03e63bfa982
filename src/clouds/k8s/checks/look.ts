/** Checks that need more rights than a run: a caller without them is told so, and may go on. */
import { type Check, looked } from '../../../core/check.ts'
import { ifDenied } from '../../../core/errors.ts'

export async function glimpse(what: string, whyNot: string, look: () => Promise<Check>): Promise<Check> {
  return looked(what, async () => look().catch(ifDenied<Check>({ what, state: 'warning', says: `cannot be checked: ${whyNot}` })))
}
