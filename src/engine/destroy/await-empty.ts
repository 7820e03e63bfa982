/** Waiting until no machine of a deployment is left. */
import { RemoteError } from '../../core/errors.ts'
import { Staleness, Waited } from '../../lib/staleness.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { patiently } from '../outage.ts'

export const PENDING_POLL = 250
/** How much longer the next look waits, and the longest wait: a slow removal is not checked all the time. */
const CALMER = 1.3
const CALMEST = 1000
/** Where the cloud tells when they are gone. */
const UNANNOUNCED = 5000
/** How long a cloud may take to finish a removal, while this computer is awake, before it counts as stuck. */
export const PENDING_LIMIT = 10 * 60_000

/**
 * Waits until the group shows no machine. `true`: it does, but some machine disappeared without anybody seeing its end. `hint`: what to do if
 * it keeps one for too long.
 */
export async function untilEmpty(engine: Engine, d: Deployment, hint = `run again: \`tpi destroy ${d.id} --discard\``): Promise<boolean> {
  const waited = new Waited(engine.clock)
  const quiet = new Staleness()
  for (let rest = PENDING_POLL; ; rest = Math.min(CALMEST, rest * CALMER)) {
    const asked = engine.clock.now()
    const seen = await patiently(engine, async () => d.cloud.observe(d))
    // If answers lag, no single look is trusted.
    const empty = quiet.for('group', seen.phase === 'up' ? `up ${asked}` : 'empty', asked) >= (d.cloud.settling ?? 0)
    if (seen.phase !== 'up' && empty) return seen.machines.some((machine) => machine.state !== 'gone')
    if (waited.time > PENDING_LIMIT) throw new RemoteError(`run "${d.name}": its machines are still there after 10 minutes`, { hint })
    await untilMoved(engine, d, rest)
  }
}

/** Until the cloud itself says that nothing is left, if it can. What it does not notice (a lost node, for example) is checked now and then. */
async function untilMoved({ clock }: Engine, d: Deployment, rest: number): Promise<void> {
  if (!d.cloud.emptied) return clock.sleep(rest)
  const over = new AbortController()
  const slept = clock.sleep(UNANNOUNCED, over.signal).catch(() => undefined)
  const ended = d.cloud.emptied(d, over.signal).catch(async () => clock.sleep(rest, over.signal).catch(() => undefined))
  // At most one look in that time, however often the cloud says that something has gone.
  await Promise.all([Promise.race([ended, slept]), clock.sleep(PENDING_POLL)])
  over.abort()
}
