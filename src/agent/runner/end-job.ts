/** Ends the job of a runner that was told to abort it, and waits for a script that does not heed SIGTERM. */
import { pause } from '../../lib/clock.ts'
import { findFamily, type ProcessId, signalProcess } from '../../lib/process.ts'

/** Milliseconds between two looks: what a dying script starts may be missed by one. */
const LOOK = 200

/** After these milliseconds, until the signal. The runner itself lives on, to report how its job ended. */
export async function endJob(runner: ProcessId, after: number, over: AbortSignal): Promise<void> {
  // Whoever loses its parent meanwhile belongs to the job all the same, and the runner waits for the end of its output.
  const family = findFamily(runner)
  for (let wait = after; ; wait = LOOK) {
    await pause(Math.max(0, wait), over).catch(() => undefined)
    if (over.aborted) return
    for (const one of [...family, ...findFamily(runner)]) if (one.pid !== runner.pid) signalProcess(one, 'SIGKILL')
  }
}
