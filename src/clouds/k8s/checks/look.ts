/** Looks that need more than our own rights: whoever may not look reads that, and may still go on. */
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
