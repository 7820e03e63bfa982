/** Requests that a machine makes to its vendor by itself. */
import { textUpTo } from '../../lib/answer.ts'
import { retry } from '../../lib/backoff.ts'

const TIMEOUT = 15_000

export interface MachineAnswer extends Pick<Response, 'ok' | 'status' | 'headers'> {
  /** `undefined`: it is longer than `most`. */
  readonly text: string | undefined
}

/** One request. Its credentials are sent to no other server than this one. `most`: bytes of the answer. */
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

/**
 * Tries until its patience is over, because the rights of a new identity take a while to work. `end`: by `performance.now()`. `again`: as
 * for `retry`. Throws the last error.
 */
export async function patiently<T>(end: number, body: () => Promise<T>, again: (error: unknown) => boolean | number): Promise<T> {
  const untilEnd = (error: unknown, tries: number): boolean | number => {
    const asked = again(error)
    const pause = Math.min(PAUSES.first * 2 ** (tries - 1), PAUSES.longest)
    return performance.now() + pause + Number(asked) <= end && asked
  }
  // No pause is shorter than half of its maximum: a failed try is a call too.
  return await retry(body, { ...PAUSES, random: () => Math.random() / 2, again: untilEnd })
}
