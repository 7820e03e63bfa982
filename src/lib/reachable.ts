/** Whether a server answers at all. */
import { messageOf } from './text.ts'

/** Milliseconds. */
const PATIENCE = 15_000

/** Any answer will do. Throws an Error for people: `who` cannot be reached, and `remedy`. */
export async function reachable(url: string, who: string, remedy: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(PATIENCE) }).catch((cause: unknown) => {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : messageOf(cause)
    throw new Error(`${who} at ${new URL(url).host} cannot be reached (${why}): ${remedy}`, { cause })
  })
}
