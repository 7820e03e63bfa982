/** Whether a server answers at all. */
import { ask, type HttpAnswer } from './http.ts'
import { messageOf } from './text.ts'

/** Milliseconds. */
const PATIENCE = 15_000

/** Any answer will do. Throws an Error for people: `who` cannot be reached, and `remedy`. */
export async function reachable(url: string, who: string, remedy: string): Promise<HttpAnswer> {
  return await ask(url, { patience: PATIENCE, most: 0 }).catch((cause: unknown) => {
    throw new Error(`${who} at ${new URL(url).host} cannot be reached (${messageOf(cause)}): ${remedy}`, { cause })
  })
}
