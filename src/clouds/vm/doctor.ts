/** Checks of a vendor's account before anything is created. Those that need the result of others come after them. */
import { type Check, faultChecks, looked } from '../../core/check.ts'
import type { SpotRequest } from '../../core/cloud.ts'
import { type Fault, TpiError } from '../../core/errors.ts'
import { listed, messageOf, plural } from '../../lib/text.ts'

/** What machines need of a quota, for people. `each`: what one machine needs. */
export const needs = (type: string, each: number, count: number): string =>
  count === 1 ? `${type} needs ${each}` : `${count} machines of ${type} need ${each * count}`

type Look = () => Promise<string | Check>

/** Quotas for spot machines, or for those at full price. With `spot: prefer`, either is enough: if only one is short, that is a warning. */
export async function quotasOf(want: SpotRequest['want'], look: (spot: boolean) => Promise<string | Check>): Promise<string | Check> {
  if (want !== 'prefer') return look(want !== 'never')
  const [spot, full] = await Promise.all([true, false].map(async (market) => looked('quota', async () => look(market))))
  const says = `spot: ${spot?.says}; full price: ${full?.says}`
  const wrong = [spot, full].filter((check) => check !== undefined && check.state !== 'ok')
  const [first] = wrong
  return first ? { ...first, says, state: wrong.length === 2 ? first.state : 'warning' } : says
}

export interface Examination<S> {
  /** The caller's identity and account. If this fails, nothing else is checked. */
  readonly who: readonly [what: string, look: Look]
  /** Faults of the options alone. */
  readonly faults: readonly Fault[]
  /** Where such machines could start. */
  readonly placement: () => Promise<S>
  readonly choice: (placement: S) => { readonly types: readonly string[]; readonly zones: number }
  /** Whether such machines have local disks. */
  readonly local: boolean | undefined
  /** Checks that need the placement, by name. */
  readonly of: (placement: S) => Readonly<Record<string, Look>>
  /** Checks that need no placement, by name. */
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

/** A check that could not be made, of something that a run does not need. */
export function unchecked(what: string, error: unknown): Check {
  const hint = error instanceof TpiError && error.hint !== undefined ? { hint: error.hint } : {}
  return { what, state: 'warning', says: messageOf(error), ...hint }
}
