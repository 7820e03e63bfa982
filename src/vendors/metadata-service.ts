/** The service by which a vendor tells a machine about itself: at the same address at all of them. */
import type { HttpAnswer } from '../lib/http.ts'

export const METADATA_HOST = '169.254.169.254'
export const METADATA = `http://${METADATA_HOST}`

/** Milliseconds: it is on the same host; without one, nothing answers. */
export const METADATA_PATIENCE = 2_000

/** Throws if the answer is a refusal. `what`: what was asked for, as people know it. `most`: bytes. */
export function metadataIn({ ok, status, text }: Pick<HttpAnswer, 'ok' | 'status' | 'text'>, what: string, most: number): string {
  if (!ok) throw new Error(`metadata service: ${what} answers ${status}`)
  if (text === undefined) throw new Error(`metadata service: ${what} has more than ${most} bytes`)
  return text
}
