/** One request to a forge. Limits the size of its answer, and follows no redirect to another server. */
import { RemoteError } from '../core/errors.ts'
import { jsonIn, textUpTo } from '../lib/answer.ts'
import { formatBytes } from '../lib/bytes.ts'
import type { Answer } from './call.ts'

/** Redirects that are followed one after the other, for what was renamed several times. */
const MOST = 5
/** Bytes of an answer: a page of a hundred long comments is a fraction of this. */
const LARGEST = 16 << 20

export type Fetched = Answer & { readonly text: string }

export async function fetched(url: string, how: RequestInit): Promise<Fetched> {
  const answer = await fetch(url, how)
  const text = await textUpTo(LARGEST, answer)
  if (text === undefined)
    throw new RemoteError(`an answer of the forge is larger than ${formatBytes(LARGEST)}: no forge gives such answers`)
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text, data: jsonIn(text) }
}

/**
 * The same for a request with a token, which is sent to no other server: a redirect to another path of the same server is followed if `follows`
 * says so; any other redirect is the answer.
 */
export async function fetchedThere(url: string, how: RequestInit, follows: (next: URL, status: number) => boolean): Promise<Fetched> {
  let at = new URL(url)
  for (let redirects = MOST; ; redirects -= 1) {
    const answer = await fetched(at.href, { ...how, redirect: 'manual' })
    const next = redirects > 0 ? redirected(answer, at) : undefined
    if (next === undefined || !follows(next, answer.status)) return answer
    at = next
  }
}

function redirected({ status, headers: { location } }: Answer, from: URL): URL | undefined {
  if (status < 300 || status >= 400 || typeof location !== 'string' || !URL.canParse(location, from.href)) return undefined
  const next = new URL(location, from.href)
  return next.origin === from.origin ? next : undefined
}
