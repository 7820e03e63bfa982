/** A machine's request for a login to its vendor's registry of images. */
import type { HttpCall } from '../../lib/http.ts'
import { asked } from './machine-call.ts'

/** Bytes: the longest token is a fraction of this. */
export const MOST = 65_536

export interface RegistryAnswer {
  readonly ok: boolean
  readonly status: number
  readonly text: string
  readonly date: string | undefined
}

export async function askRegistry(url: URL, proof: Pick<HttpCall, 'headers' | 'body'>): Promise<RegistryAnswer> {
  const { ok, status, header, text } = await asked(url, { ...proof, method: 'POST', most: MOST })
  if (text === undefined) throw new Error(`${url.host} answers with more than ${MOST} bytes, which is not a login`)
  return { ok, status, text, date: header('date') }
}
