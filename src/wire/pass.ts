/**
 * Passes: with one, a machine has access to a store that has rules (`stores/pass-rules.ts`), for one slot of one incarnation. A pass is made with a
 * key that no machine has.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Pass {
  readonly id: string
  readonly incarnation: string
  readonly slot: number
}

/** The text of a pass. It says for what it is valid, because the server that checks it knows nothing but the key. */
export function passFor(key: string, { id, incarnation, slot }: Pass): string {
  const words = `${id}/${incarnation}/${slot}`
  return `${words}/${createHmac('sha256', key).update(words).digest('hex')}`
}

const FORM = /^([a-z0-9-]{1,64})\/([a-z0-9-]{1,64})\/(\d{1,7})\/[0-9a-f]{64}$/

/** The pass in a text; `undefined`: it was not made with this key. */
export function passIn(key: string, text: string): Pass | undefined {
  const [, id = '', incarnation = '', slot] = FORM.exec(text) ?? []
  if (slot === undefined) return undefined
  const pass = { id, incarnation, slot: Number(slot) }
  const [good, given] = [Buffer.from(passFor(key, pass)), Buffer.from(text)]
  return good.length === given.length && timingSafeEqual(good, given) ? pass : undefined
}
