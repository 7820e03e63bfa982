/** What a start of a runner has come to, by its exit code and by what was seen of its jobs. Pure. */
import type { RunnerProgram } from '../../wire/runner.ts'

export interface RunnerEnd {
  readonly code: number
  /** Whether it has had a job. */
  readonly worked: boolean
}

export type Meaning =
  /** It is not started again. */
  | { readonly kind: 'over'; readonly says: string }
  | { readonly kind: 'failed'; readonly says: string }
  /** `used`: not by the same credential. `dismissed`: the forge wanted nothing of it. */
  | { readonly kind: 'start'; readonly says: string; readonly used: boolean; readonly dismissed: boolean; readonly updates: boolean }

export function meaningOf(
  { exits, hooks, jobsPerStart }: Pick<RunnerProgram, 'exits' | 'hooks' | 'jobsPerStart'>,
  ended: RunnerEnd,
): Meaning {
  const exit = exits[String(ended.code)]
  if (exit === undefined || exit.means === 'failed')
    return { kind: 'failed', says: exit?.says ?? `the runner ended with exit code ${ended.code}` }
  const { means, says } = exit
  // One that goes from job to job, or without whose hooks nobody knows how many it had.
  if (means === 'done' && (hooks === undefined || jobsPerStart === null)) return { kind: 'over', says }
  const used = means !== 'again' || ended.worked
  return { kind: 'start', says, used, dismissed: means === 'done' && !ended.worked, updates: exit.updates === true }
}
