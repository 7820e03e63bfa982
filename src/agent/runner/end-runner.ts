/** Tells a runner to end, so that its job fails at once and says why. */
import { bootNow, pause } from '../../lib/clock.ts'
import { findFamily, type ProcessId, signalProcess } from '../../lib/process.ts'
import type { Freeze } from '../../snapshot/types.ts'
import type { RunnerProgram } from '../../wire/runner.ts'
import { graceOver } from '../process/run-program.ts'
import type { Running } from '../process/script.ts'
import type { Ending } from '../slot/ending.ts'

/** Milliseconds in which a runner without a job ends and takes leave of its forge. */
export const GOODBYE = 30_000
/** Milliseconds between two rounds of killing: a dying script may have started something meanwhile. */
const LOOK = 200

/** Waits for its end as long as there is time, at most until `due` (boot clock). `frozen`: how it is held now. */
export async function endRunner(
  running: Running,
  { abort, jobEnds }: RunnerProgram['signals'],
  ending: Ending,
  { due, frozen }: { readonly due?: number; readonly frozen?: Freeze } = {},
): Promise<void> {
  const over = new AbortController()
  // At least half of the time is left for the runner to report the end of its job.
  const left = Math.min(ending.killDue, due ?? Number.POSITIVE_INFINITY) - bootNow()
  if (jobEnds !== undefined) void endJob(running.id, Math.min(jobEnds * 1000, left / 2), over.signal)
  // Only the runner itself gets the signal: it decides how to end its job.
  signalProcess(running.id, abort)
  await frozen?.resume()
  await graceOver(running.exit, ending, due)
  over.abort()
}

/**
 * Kills the processes of a job that does not heed SIGTERM, after these milliseconds and until the signal. The runner itself lives on, to
 * report how its job ended.
 */
async function endJob(runner: ProcessId, after: number, over: AbortSignal): Promise<void> {
  // A process whose parent dies leaves the family, but belongs to the job all the same: the runner waits for the end of its output.
  const family = findFamily(runner)
  for (let wait = after; ; wait = LOOK) {
    await pause(Math.max(0, wait), over).catch(() => undefined)
    if (over.aborted) return
    for (const one of [...family, ...findFamily(runner)]) if (one.pid !== runner.pid) signalProcess(one, 'SIGKILL')
  }
}
