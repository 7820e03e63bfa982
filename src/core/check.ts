/** Checks of `tpi doctor`, which are made before anything is created. */

import { line, maybe, object, oneOf } from '../lib/shape.ts'
import { messageOf } from '../lib/text.ts'
import { type Fault, isDenied, TpiError } from './errors.ts'

export interface Check {
  /** One or two words, such as "token" or "storage class". */
  readonly what: string
  /** `warning`: it may work nevertheless · `denied`: a fault of credentials or permissions */
  readonly state: 'ok' | 'warning' | 'fault' | 'denied'
  readonly says: string
  /** What to do about it. */
  readonly hint?: string
}

/** Makes one check. If `look` throws, that is a fault; a text that it returns is good news. */
export async function looked(what: string, look: () => Promise<string | Check>): Promise<Check> {
  try {
    const found = await look()
    return typeof found === 'string' ? { what, state: 'ok', says: found } : found
  } catch (error) {
    const says = messageOf(error)
    const hint = error instanceof TpiError && error.hint !== undefined ? { hint: error.hint } : {}
    return { what, state: isDenied(error) ? 'denied' : 'fault', says, ...hint }
  }
}

/** What a machine reports of itself in a line of JSON: not to be trusted. */
export type Finding = Pick<Check, 'what' | 'says'> & { readonly state: 'ok' | 'warning' | 'fault'; readonly hint?: string }

export const finding = object<Finding>({
  what: line(40),
  state: oneOf('ok', 'warning', 'fault'),
  says: line(400),
  hint: maybe(line(400)),
})

/** Faults of options, as failed checks. */
export function faultChecks(faults: readonly Fault[]): Check[] {
  return faults.map(({ option, message, hint }) => ({
    what: option,
    state: 'fault',
    says: message,
    ...(hint === undefined ? {} : { hint }),
  }))
}
