/** What a cloud shows under a name that is about to be taken: of another storage, it would be another run. */
import type { Found } from '../../core/cloud.ts'
import type { VerbContext } from './context.ts'

/** Begins to ask; `undefined`: it did not answer, and whoever needs it asks again. */
export async function shownAs(context: Pick<VerbContext, 'clouds'>, id: string): Promise<readonly Found[] | undefined> {
  try {
    const [found] = await context.clouds()
    return await found?.cloud.list(undefined, id)
  } catch {
    return undefined
  }
}
