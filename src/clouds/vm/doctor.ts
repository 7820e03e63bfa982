/** What can be known of a vendor's account before anything is created, in the order in which one thing needs the other. */
import { type Check, faultChecks, looked } from '../../core/check.ts'
import type { Fault } from '../../core/errors.ts'
import { listed, plural } from '../../lib/text.ts'

type Look = () => Promise<string | Check>

export interface Examination<S> {
  /** Who we are, and where: of nobody there is nothing else to find out. */
  readonly who: readonly [what: string, look: Look]
  /** Of the options alone. */
  readonly faults: readonly Fault[]
  /** Where such machines could start. */
  readonly placement: () => Promise<S>
  readonly choice: (placement: S) => { readonly types: readonly string[]; readonly zones: number }
  /** Such machines have local disks. */
  readonly local: boolean | undefined
  /** What can be looked at once that is known, by its name. */
  readonly of: (placement: S) => Readonly<Record<string, Look>>
  /** What can be looked at in any case. */
  readonly besides: Readonly<Record<string, Look>>
}

export async function examined<S>({
  who: [what, look],
  faults,
  placement,
  choice,
  local,
  of,
  besides,
}: Examination<S>): Promise<readonly Check[]> {
  const account = await looked(what, look)
  if (account.state !== 'ok') return [account]
  if (faults.length > 0) return [account, ...faultChecks(faults)]
  let found: S | undefined
  const place = await looked('machines', async () => {
    found = await placement()
    const { types, zones } = choice(found)
    const more = types.length > 3 ? ` and ${types.length - 3} more types` : ''
    return `${listed(types.slice(0, 3), 'and')}${more} in ${plural(zones, 'zone')}${local ? ', with local disks' : ''}`
  })
  const looks = { ...(found !== undefined && of(found)), ...besides }
  return [account, place, ...(await Promise.all(Object.entries(looks).map(async ([name, ask]) => looked(name, ask))))]
}
