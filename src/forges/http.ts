/** One request to a forge, and its answer: limited to the size of a forge's answers, and from no other server. */
import { RemoteError } from '../core/errors.ts'
import { jsonIn, textUpTo } from '../lib/answer.ts'
import { formatBytes } from '../lib/bytes.ts'
import type { Answer } from './call.ts'

/** Redirects one after the other: as many as a path that was changed again and again may take. */
const MOST = 5
/** Bytes: a page of a hundred long comments is a fraction of it. */
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
 * The same for a request with a token, which goes to no other server than the one that was asked: what has another path by now is looked for
 * there, and any other redirect is itself the answer. `follows`: of the same server, what is worth asking.
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
