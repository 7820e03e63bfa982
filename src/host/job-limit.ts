/** When the job around us is ended by its host, whatever we do. */

type Env = Readonly<Record<string, string | undefined>>

/** Milliseconds. A job on a machine of GitHub's ends after this. */
const HOSTED = 6 * 3_600_000
/** Milliseconds before the end at which we must have left: enough to tell where to come back, and for the steps that follow. */
export const MARGIN = 5 * 60_000

/** Milliseconds until we have to leave; `undefined` where no limit is known. */
export async function jobTimeLeft(env: Env, now: Date, parent: number): Promise<number | undefined> {
  const limit = env['CI_JOB_TIMEOUT']
    ? gitlab(env, now)
    : env['RUNNER_ENVIRONMENT'] === 'github-hosted'
      ? HOSTED - (await age(parent))
      : undefined
  return limit === undefined ? undefined : Math.max(0, Math.floor(limit - margin(limit)))
}

/** Short limits, as in a test of the set-up, have a short margin. */
function margin(limit: number): number {
  return Math.min(MARGIN, limit / 10)
}

function gitlab(env: Env, now: Date): number | undefined {
  const started = Date.parse(env['CI_JOB_STARTED_AT'] ?? '')
  const timeout = Number(env['CI_JOB_TIMEOUT'])
  return Number.isNaN(started) || !(timeout > 0) ? undefined : started + timeout * 1000 - now.getTime()
}

/** Milliseconds that the job runs: our parent is the runner's worker, which was started for it. */
async function age(parent: number): Promise<number> {
  try {
    const { getExecOutput } = await import('@actions/exec')
    const { stdout } = await getExecOutput('ps', ['-o', 'etime=', '-p', String(parent)], { silent: true, ignoreReturnCode: true })
    return parseElapsed(stdout) ?? 0
  } catch {
    // Without ps(1) we count from our own start, and hope that the steps before were short.
    return 0
  }
}

/** `[[dd-]hh:]mm:ss` of ps(1) in milliseconds. */
export function parseElapsed(text: string): number | undefined {
  const parts = /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/.exec(text)
  if (!parts) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}
