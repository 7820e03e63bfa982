/** The rights of a caller, in the same words for each vendor: what each is for, and what does not work without it. */
import type { Check } from '../../core/check.ts'
import { listed } from '../../lib/text.ts'

export interface RightWords {
  readonly why: string
  /** The vendor's page that says so. */
  readonly page?: string
  /** What does not work without it. Absent: every run needs it. */
  readonly without?: string
}

export function rightText({ why, page, without }: RightWords): string {
  return `${why}${page === undefined ? '' : ` (${page})`}${without === undefined ? '' : `; without it, ${without}`}`
}

export interface Lacking<R extends RightWords> {
  /** Id of the cloud. */
  readonly cloud: string
  /** Names of missing rights, as the vendor calls them, and those among them that every run needs. */
  readonly missing: readonly string[]
  readonly needed?: readonly string[]
  readonly rights: readonly R[]
  readonly namesOf: (right: R) => readonly string[]
}

/** Missing rights that a run can do without are no fault: the check says what they mean. */
export function lackingCheck<R extends RightWords>({ cloud, missing, needed = missing, rights, namesOf }: Lacking<R>): Check {
  const spared = rights.filter((right) => right.without !== undefined && namesOf(right).some((name) => missing.includes(name)))
  const sparedNames = spared.flatMap(namesOf)
  const denied = needed.some((name) => !sparedNames.includes(name))
  const says = [`you lack ${listed(missing, 'and')}`, ...spared.map(({ why, without }) => `${why}: without it, ${without}`)].join('; ')
  const hint = `tpi permissions ${cloud} prints what is needed, and why`
  return { what: 'permissions', state: denied ? 'denied' : 'warning', says, hint }
}
