/** Whether a machine may serve several jobs, one after the other, if strangers can propose jobs. */
import { InputError } from '../core/errors.ts'
import type { ForgeAccount } from '../core/forge.ts'

export interface OpenParams {
  /** Jobs per machine; `null` = without limit. */
  readonly jobs: number | null
  /** Several jobs were explicitly allowed. */
  readonly allowed: boolean
}

/** The warning about runners to which strangers can propose jobs; `undefined`: they cannot. Throws an InputError if that is not allowed. */
export function openWarning({ open }: Pick<ForgeAccount, 'open'>, { jobs, allowed }: OpenParams): string | undefined {
  if (open === undefined) return undefined
  const who = `${open}: anyone who proposes a change there may get it run on these machines`
  if (jobs === 1) return `${who}; require an approval for jobs of strangers, and give the machines no access that strangers must not have`
  if (allowed) return `${who}, and leave something behind for the jobs that follow on the same one (allow-public)`
  throw new InputError(`jobs: ${open}, so each machine serves a single job: a stranger's could leave something behind for the next`, {
    hint: 'set "jobs: 1", with "count" for more machines; or "allow-public: true" when strangers cannot start jobs there',
  })
}
