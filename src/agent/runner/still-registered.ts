/** Whether the forge still knows a runner. One whose registration is gone gets no more jobs, but its program may wait for ever. */
import { pause } from '../../lib/clock.ts'
import { signalProcess } from '../../lib/process.ts'
import type { RunnerStanding } from '../../wire/runner.ts'
import type { RunnerContext } from '../machine-context.ts'
import type { Running } from '../process/script.ts'
import type { Credential } from './credentials.ts'
import { callForge } from './forge-call.ts'

/** Lease TTLs between two questions. */
const LEASES = 2
/** Refusals in a row: a single one may come from a proxy, or from a forge under maintenance. */
const REFUSALS = 2
/** Milliseconds for one answer. */
const ANSWER = 30_000

/**
 * Asks now and then, until the signal. If the forge does not know the runner any more, tells it to take no further job and to end when it
 * has none. Resolves to whether that happened.
 */
export async function drainIfDisowned(
  { spec, say }: RunnerContext,
  { id }: Pick<Running, 'id'>,
  credential: Credential,
  signal: AbortSignal,
): Promise<boolean> {
  const { standing, signals } = spec.runner.machine
  if (!standing || !signals.drain || !(await isDisowned(standing, credential, LEASES * spec.lease.ttl, signal))) return false
  say('the forge no longer has the registration of this runner')
  signalProcess(id, signals.drain)
  return true
}

async function isDisowned(standing: RunnerStanding, credential: Credential, every: number, signal: AbortSignal): Promise<boolean> {
  for (let refused = 0; refused < REFUSALS; ) {
    await pause(every, signal).catch(() => undefined)
    if (signal.aborted) return false
    const status = await callForge(standing, credential, AbortSignal.any([signal, AbortSignal.timeout(ANSWER)])).then(
      (answer) => answer.status,
      // A forge that is out of reach proves nothing.
      () => undefined,
    )
    refused = status !== undefined && standing.gone.includes(status) ? refused + 1 : 0
  }
  return true
}
