/** How a machine asks its vendor to let it leave: until its patience is over, since the rights of a new identity take a while to be known. */
import { retry } from '../../lib/backoff.ts'

const PAUSES = { first: 500, longest: 8000 }

/** `end`: by `performance.now()`. `again`: as for `retry`. Throws the last error. */
export async function patiently<T>(end: number, body: () => Promise<T>, again: (error: unknown) => boolean | number): Promise<T> {
  const untilEnd = (error: unknown, tries: number): boolean | number => {
    const asked = again(error)
    const pause = Math.min(PAUSES.first * 2 ** (tries - 1), PAUSES.longest)
    return performance.now() + pause + Number(asked) <= end && asked
  }
  // No pause is shorter than half of its longest: a try in vain is a call all the same.
  return await retry(body, { ...PAUSES, random: () => Math.random() / 2, again: untilEnd })
}
