/** Checks that need more rights than a run: a caller without them is told so, and may go on. */
import { type Check, looked } from '../../../core/check.ts'
import { AuthError } from '../../../core/errors.ts'

export async function glimpse(what: string, whyNot: string, look: () => Promise<Check>): Promise<Check> {
  return looked(what, async () => {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      return { what, state: 'warning', says: `cannot be checked: ${whyNot}` }
    }
  })
}
