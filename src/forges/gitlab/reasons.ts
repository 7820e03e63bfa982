/**
 * GitLab's names for failures that are not the job's own, which differ between its versions. Source: its documentation of `retry:when`, and its table of
 * failure reasons.
 */
import { isOlder } from '../../lib/version.ts'

interface Reason {
  readonly name: string
  /** The first version that knows this name, and the first that uses another one instead. */
  readonly since?: string
  readonly until?: string
  /** Worth a retry by GitLab itself; the other reasons may also be a job's own failure. */
  readonly retried: boolean
}

const REASONS: readonly Reason[] = [
  { name: 'runner_system_failure', retried: true },
  { name: 'runner_interrupted', since: '19.1', retried: true },
  // What a runner reports after an interruption to a server that has no name for that.
  { name: 'unknown_failure', until: '19.1', retried: true },
  // GitLab did not hear from its machine any more.
  { name: 'stuck_or_timeout_failure', until: '19.0', retried: true },
  { name: 'no_updates_running', since: '19.0', retried: true },
  // The server ended it long after its timeout: its runner, which should have done that, was gone.
  { name: 'job_execution_server_timeout', retried: false },
  { name: 'server_timeout_running', since: '19.0', retried: false },
]

/** Whether the reason is not the job's own. Names of all versions count: the job may be older than the server. */
export function notItsOwn(reason: string | null | undefined): boolean {
  return REASONS.some(({ name }) => name === (reason ?? ''))
}

/**
 * Names for `retry:when` in a pipeline of this server: one that it does not know is an error of the whole file. `undefined`: the version is not known;
 * then only names that every version understands.
 */
export function retriedBy(version: string | undefined): readonly string[] {
  const known = REASONS.filter(({ retried, since, until }) => {
    if (!retried) return false
    if (version === undefined) return since === undefined
    return !(since !== undefined && isOlder(version, since)) && !(until !== undefined && !isOlder(version, until))
  })
  return known.map(({ name }) => name)
}
