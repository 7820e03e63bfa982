/** Whose jobs one machine may serve, one after the other. */
import { InputError } from '../core/errors.ts'
import type { Forge, ForgeAccount } from '../core/forge.ts'

export interface OpenWish {
  /** Jobs per machine; `null` = without limit. */
  readonly jobs: number | null
  /** Several jobs were asked for, come what may. */
  readonly allowed: boolean
}

/** What has to be said about runners of a place that everybody can propose changes to. Throws when it must not be. */
export function openWarning({ title }: Pick<Forge, 'title'>, { open }: ForgeAccount, { jobs, allowed }: OpenWish): string | undefined {
  if (!open) return undefined
  const who = `${title} is public: whoever proposes a change to it may get it run on these machines`
  if (jobs === 1) return `${who}; let jobs of strangers wait for an approval, and give the machines no access that strangers must not have`
  if (allowed) return `${who}, and leave something behind for the jobs that follow on the same one (allow-public)`
  throw new InputError(
    `jobs: ${title} is public, so each machine serves a single job: a stranger's could leave something behind for the next`,
    {
      hint: 'say "jobs: 1", with "count" for more machines; or "allow-public: true" when strangers cannot start jobs there',
    },
  )
}
