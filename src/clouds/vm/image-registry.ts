/** One request of a machine for a login to its vendor's registry of images. */
import { textUpTo } from '../../lib/answer.ts'

const TIMEOUT = 15_000
/** Bytes: the longest token is a fraction of it. */
export const MOST = 65_536

export interface RegistryAnswer {
  readonly ok: boolean
  readonly status: number
  readonly text: string
  readonly date: string | null
}

/** What proves who asks goes to no other server than this one. */
export async function askRegistry(url: URL, proof: Pick<RequestInit, 'headers' | 'body'>): Promise<RegistryAnswer> {
  const reply = await fetch(url, { ...proof, method: 'POST', redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) })
  const text = await textUpTo(MOST, reply)
  if (text === undefined) throw new Error(`${url.host} answers with more than ${MOST} bytes, which is not a login`)
  return { ok: reply.ok, status: reply.status, text, date: reply.headers.get('date') }
}
