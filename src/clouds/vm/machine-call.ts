/** What a machine asks of its vendor by itself. */
import { textUpTo } from '../../lib/answer.ts'
import { retry } from '../../lib/backoff.ts'

const TIMEOUT = 15_000

export interface MachineAnswer extends Pick<Response, 'ok' | 'status' | 'headers'> {
  /** `undefined`: it is longer than was allowed. */
  readonly text: string | undefined
}

/** One request. What proves who asks goes to no other server than this one. `most`: bytes of the answer. */
export async function asked(
  url: string | URL,
  how: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  most: number,
): Promise<MachineAnswer> {
  const reply = await fetch(url, { ...how, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) })
  const { ok, status, headers } = reply
  return { ok, status, headers, text: await textUpTo(most, reply) }
}

const PAUSES = { first: 500, longest: 8000 }

/** Until its patience is over, since the rights of a new identity take a while to be known. `end`: by `performance.now()`. `again`: as for `retry`. Throws the last error. */
export async function patiently<T>(end: number, body: () => Promise<T>, again: (error: unknown) => boolean | number): Promise<T> {
  const untilEnd = (error: unknown, tries: number): boolean | number => {
    const asked = again(error)
    const pause = Math.min(PAUSES.first * 2 ** (tries - 1), PAUSES.longest)
    return performance.now() + pause + Number(asked) <= end && asked
  }
  // No pause is shorter than half of its longest: a try in vain is a call all the same.
  return await retry(body, { ...PAUSES, random: () => Math.random() / 2, again: untilEnd })
}
