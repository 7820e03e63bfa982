/** One request, and its answer as it comes. */
import type { Answer } from '../retry.ts'

/** Redirects one after the other: as many as a path that was changed again and again may take. */
const MOST = 5

export async function fetched(url: string, how: RequestInit): Promise<Answer & { readonly text: string }> {
  const answer = await fetch(url, how)
  const text = await answer.text()
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text, data: parsed(text) }
}

/**
 * The same for a request with a token, which goes to no other server than the one that was asked: a project or group that has another path by now is
 * looked for there (https://docs.gitlab.com/api/rest/#redirects), and any other redirect is itself the answer.
 */
export async function fetchedThere(url: string, how: RequestInit): ReturnType<typeof fetched> {
  let at = new URL(url)
  for (let redirects = MOST; ; redirects -= 1) {
    const answer = await fetched(at.href, { ...how, redirect: 'manual' })
    const next = how.method === 'GET' && redirects > 0 ? redirected(answer, at) : undefined
    if (next === undefined) return answer
    at = next
  }
}

function redirected({ status, headers: { location } }: Answer, from: URL): URL | undefined {
  if (status < 300 || status >= 400 || typeof location !== 'string' || !URL.canParse(location, from.href)) return undefined
  const next = new URL(location, from.href)
  // A page to sign in at would be taken for what was asked for.
  return next.origin === from.origin && next.pathname.includes('/api/') ? next : undefined
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy's page: the status says enough.
    return undefined
  }
}
