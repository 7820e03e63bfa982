/** A job of a forge asks for a token that says who it is: for whom, and what the answer is. */
import { line, object } from '../lib/shape.ts'

/** `url`, `bearer`: what the job has for that in its environment. */
export function idTokenRequest(
  url: string,
  bearer: string,
  audience: string,
): readonly [URL, { readonly headers: Readonly<Record<string, string>> }] {
  const address = new URL(url)
  address.searchParams.set('audience', audience)
  return [address, { headers: { authorization: `Bearer ${bearer}` } }]
}

export const idTokenAnswer = object<{ value: string }>({ value: line(65_536) })
