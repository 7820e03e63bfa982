/** When the forge ends this CI job, whatever tpi does. */
import type { ForgeCi } from '../core/ci.ts'
import type { Env } from '../lib/env.ts'
import { ageOf } from '../lib/process.ts'

/** Milliseconds before the end of the job at which tpi must have ended: time to say how to come back, and for the steps that follow. */
const MARGIN = 5 * 60_000

/** Milliseconds until tpi has to end; `undefined`: no limit is known. `parent`: pid of the process that started this step, if it is one. */
export async function jobTimeLeft(cis: readonly ForgeCi[], env: Env, now: Date, parent?: number): Promise<number | undefined> {
  const [said] = cis.flatMap((ci) => ci.timeLeft?.(env, now) ?? [])
  const limit = said ?? (await leftOfLongest(cis, env, parent))
  return limit === undefined ? undefined : Math.max(0, Math.floor(limit - margin(limit)))
}

/**
 * By the age of the runner's worker, which is started for each job. If the job runs in a container, the worker is not seen (`parent` is 0).
 */
async function leftOfLongest(cis: readonly ForgeCi[], env: Env, parent: number | undefined): Promise<number | undefined> {
  const [longest] = cis.flatMap((ci) => ci.longest?.(env) ?? [])
  // In a container, its first process is as old as the job, except for the time that pulling the image took.
  return longest === undefined || parent === undefined ? undefined : longest - (ageOf(parent || 1) ?? (await toldAge(parent)) ?? 0)
}

/** A short limit has a short margin. */
function margin(limit: number): number {
  return Math.min(MARGIN, limit / 10)
}

/** The age according to ps(1), where there is no /proc, as on macOS. (Slim images of Linux have no ps.) */
async function toldAge(pid: number): Promise<number | undefined> {
  try {
    const { getExecOutput } = await import('@actions/exec')
    const { stdout } = await getExecOutput('ps', ['-o', 'etime=', '-p', String(pid)], { silent: true, ignoreReturnCode: true })
    return parseElapsed(stdout)
  } catch {
    return undefined
  }
}

/** `[[dd-]hh:]mm:ss` of ps(1) in milliseconds. */
export function parseElapsed(text: string): number | undefined {
  const parts = /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/.exec(text)
  if (!parts) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}
