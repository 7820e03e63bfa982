/** Sends a token only to the host that its owner meant. */
import { printable } from '../lib/text.ts'
import { InputError } from './errors.ts'

/**
 * Refuses the address of a forge from the record of a deployment, unless it is at the host that this command knows by itself. That record
 * can be written by whatever runs on the deployment's machines.
 */
export function refuseUnknownForge(recorded: string, known: string): void {
  const origin = originOf(recorded)
  if (origin !== undefined && origin === originOf(known)) return
  const at = printable(recorded)
  throw new InputError(
    `forge-url: according to their record, these runners are registered at "${at}", but this command knows only ${known} and sends no token elsewhere`,
    {
      hint: `if that is your forge, give --forge-url ${at}`,
    },
  )
}

const originOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).origin : undefined)
