import type { Trial } from '../check.ts'
import type { Hub, Job } from './hub.ts'

/** Waits for the end of a job, and reports its conclusion. */
export async function concluded(
  hub: Hub,
  trial: Trial,
  { run, job }: { readonly run: number; readonly job: string },
  what = `job ${job}`,
  assumed: 'success' | 'failure' = 'success',
): Promise<Job> {
  const seconds = await hub.ended(run, job)
  const found = await hub.job(run, job)
  trial.saw(what, `${found.conclusion}, after ${seconds} s`, assumed, found.conclusion === assumed)
  return found
}
