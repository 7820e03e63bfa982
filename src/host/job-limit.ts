/** When the host ends this CI job, whatever tpi does. */
import type { ForgeCi } from '../core/ci.ts'
import type { Env } from '../lib/env.ts'
import { ageOf } from '../lib/process.ts'

/** Milliseconds before the end at which tpi must have left: enough to say how to come back, and for the steps that follow. */
export const MARGIN = 5 * 60_000

/** Milliseconds until tpi has to leave; `undefined` if no limit is known. `parent`: of the step, if this is one. */
export function jobTimeLeft(cis: readonly ForgeCi[], env: Env, now: Date, parent?: number): number | undefined {
  const [said] = cis.flatMap((ci) => ci.timeLeft?.(env, now) ?? [])
  const limit = said ?? leftOfLongest(cis, env, parent)
  return limit === undefined ? undefined : Math.max(0, Math.floor(limit - margin(limit)))
}

/** By the age of the runner's worker, which is started for each job. In a container of the job, it is out of sight: no parent has a number there. */
function leftOfLongest(cis: readonly ForgeCi[], env: Env, parent: number | undefined): number | undefined {
  const [longest] = cis.flatMap((ci) => ci.longest?.(env) ?? [])
  // The container's first process is as old as the job, but for the time in which the image was pulled.
  return longest === undefined || parent === undefined ? undefined : longest - (ageOf(parent || 1) ?? 0)
}

/** Short limits, as in a test of the set-up, have a short margin. */
function margin(limit: number): number {
  return Math.min(MARGIN, limit / 10)
}
