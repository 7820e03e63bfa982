/** When the host ends this CI job, whatever tpi does. */
import type { ForgeCi } from '../core/ci.ts'
import type { Env } from '../lib/env.ts'

/** Milliseconds before the end at which tpi must have left: enough to say how to come back, and for the steps that follow. */
export const MARGIN = 5 * 60_000

/** Milliseconds until tpi has to leave; `undefined` if no limit is known. `worker`: the runner's process that was started for this job, if known. */
export async function jobTimeLeft(cis: readonly ForgeCi[], env: Env, now: Date, worker?: number): Promise<number | undefined> {
  const [said] = cis.flatMap((ci) => ci.timeLeft?.(env, now) ?? [])
  const limit = said ?? (await hostedFor(cis, env, worker))
  return limit === undefined ? undefined : Math.max(0, Math.floor(limit - margin(limit)))
}

async function hostedFor(cis: readonly ForgeCi[], env: Env, worker: number | undefined): Promise<number | undefined> {
  const [longest] = cis.flatMap((ci) => ci.hostedFor?.(env) ?? [])
  return longest === undefined || worker === undefined ? undefined : longest - (await age(worker))
}

/** Short limits, as in a test of the set-up, have a short margin. */
function margin(limit: number): number {
  return Math.min(MARGIN, limit / 10)
}

/** Milliseconds that the job runs. */
async function age(worker: number): Promise<number> {
  try {
    const { getExecOutput } = await import('@actions/exec')
    const { stdout } = await getExecOutput('ps', ['-o', 'etime=', '-p', String(worker)], { silent: true, ignoreReturnCode: true })
    return parseElapsed(stdout) ?? 0
  } catch {
    // Without ps(1) it counts from this process's start, and hopes that the steps before were short.
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
