/** What a cloud already has under an id that is about to be used: if it belongs to another storage, it is another run, and nothing is started. */
import type { Found } from '../../core/cloud.ts'
import type { VerbContext } from './context.ts'

/** Starts the call; `undefined`: the cloud did not answer, and the caller asks again if necessary. */
export async function nameInUse(context: Pick<VerbContext, 'clouds'>, id: string): Promise<readonly Found[] | undefined> {
  try {
    const [found] = await context.clouds()
    return await found?.cloud.list(undefined, id)
  } catch {
    return undefined
  }
}
