/** Whether a token may be sent to an address that a record names. */
import { printable } from '../lib/text.ts'
import { InputError } from './errors.ts'

/**
 * Throws InputError unless the address of a forge in a deployment's record is at the host that this command knows from its own options or
 * environment: whatever runs on the deployment's machines can write that record.
 */
export function refuseUnknownForge(recorded: string, known: string): void {
  const origin = originOf(recorded)
  if (origin !== undefined && origin === originOf(known)) return
  const at = printable(recorded)
  throw new InputError(
    `forge-url: according to their record, these runners are registered at "${at}", but this command knows only ${known} and sends no token elsewhere`,
    { hint: `if that is your forge, give \`forge-url: ${at}\`` },
  )
}

const originOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).origin : undefined)
