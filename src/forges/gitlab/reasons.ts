/**
 * Why a job failed, as GitLab names it, when it was not the job: its names changed with its versions. Source: its documentation of
 * `retry:when`, and its table of failure reasons.
 */
import { isOlder } from '../../lib/version.ts'

interface Reason {
  readonly name: string
  /** The first version that knows it, and the first one that uses others instead. */
  readonly since?: string
  readonly until?: string
  /** Worth a retry by GitLab itself; the other reasons may also be a job's own failure. */
  readonly retried: boolean
}

const REASONS: readonly Reason[] = [
  { name: 'runner_system_failure', retried: true },
  { name: 'runner_interrupted', since: '19.1', retried: true },
  // What a runner says of an interruption to a server that has no word for it.
  { name: 'unknown_failure', until: '19.1', retried: true },
  // Nothing was heard of its machine any more.
  { name: 'stuck_or_timeout_failure', until: '19.0', retried: true },
  { name: 'no_updates_running', since: '19.0', retried: true },
  // The server ended it long after its timeout: its runner, which should have done that, was gone.
  { name: 'job_execution_server_timeout', retried: false },
  { name: 'server_timeout_running', since: '19.0', retried: false },
]

/** By whatever version: a job may be older than its server. */
export function notItsOwn(reason: string | null | undefined): boolean {
  return REASONS.some(({ name }) => name === (reason ?? ''))
}

/**
 * For `retry:when` in a pipeline of this server: a name that it does not know is an error of the whole file. `undefined`: nobody knows the
 * version; names that are old, and still valid, are understood by all.
 */
export function retriedBy(version: string | undefined): readonly string[] {
  const known = REASONS.filter(({ retried, since, until }) => {
    if (!retried) return false
    if (version === undefined) return since === undefined
    return !(since !== undefined && isOlder(version, since)) && !(until !== undefined && !isOlder(version, until))
  })
  return known.map(({ name }) => name)
}
