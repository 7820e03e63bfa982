/** The rights of a caller, in words that are the same for each vendor: what each is for, and what a run lacks without it. */
import type { Check } from '../../core/check.ts'
import { listed } from '../../lib/text.ts'

export interface RightWords {
  readonly why: string
  /** Where the vendor says that it asks for it. */
  readonly page?: string
  /** What goes without it: for accounts that give less. */
  readonly without?: string
}

export function rightText({ why, page, without }: RightWords): string {
  return `${why}${page === undefined ? '' : ` (${page})`}${without === undefined ? '' : `; without it, ${without}`}`
}

export interface Lacking<R extends RightWords> {
  /** Id of the cloud. */
  readonly cloud: string
  /** Names of rights, as the vendor calls them; and those among them that no run goes without. */
  readonly missing: readonly string[]
  readonly needed?: readonly string[]
  readonly rights: readonly R[]
  readonly namesOf: (right: R) => readonly string[]
}

/** What a run does without is no fault: it is said what that means. */
export function lackingCheck<R extends RightWords>({ cloud, missing, needed = missing, rights, namesOf }: Lacking<R>): Check {
  const spared = rights.filter((right) => right.without !== undefined && namesOf(right).some((name) => missing.includes(name)))
  const sparedNames = spared.flatMap(namesOf)
  const denied = needed.some((name) => !sparedNames.includes(name))
  const says = [`you lack ${listed(missing, 'and')}`, ...spared.map(({ why, without }) => `${why}: without it, ${without}`)].join('; ')
  const hint = `tpi permissions ${cloud} prints what is needed, and why`
  return { what: 'permissions', state: denied ? 'denied' : 'warning', says, hint }
}
