/** Waiting until no machine of a deployment is left. */
import { RemoteError } from '../../core/errors.ts'
import { Staleness, Waited } from '../../lib/staleness.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { patiently } from '../outage.ts'

/** Milliseconds between two looks at a removal. */
export const PENDING_POLL = 250
/** While machines are ending, each look waits this many times longer than the last one. */
const CALMER = 1.3
/** Milliseconds that it waits at most. */
const CALMEST = 1000
/** The same if the cloud tells when the machines are gone (`Cloud.emptied`). */
const UNANNOUNCED = 5000
/** Milliseconds that a removal may take, while this computer is awake, before it counts as stuck. */
export const PENDING_LIMIT = 10 * 60_000

/**
 * Waits until the group shows no machine. `true`: some machine disappeared without anybody seeing its end, so it may still be alive. Throws after ten
 * minutes; `hint`: what the user should do then.
 */
export async function untilEmpty(engine: Engine, d: Deployment, hint: string): Promise<boolean> {
  const waited = new Waited(engine.clock)
  const quiet = new Staleness()
  for (let rest = PENDING_POLL; ; rest = Math.min(CALMEST, rest * CALMER)) {
    const asked = engine.clock.now()
    const seen = await patiently(engine, async () => d.cloud.observe(d))
    // Where answers lag, looks must agree for as long as they may.
    const empty = quiet.for('group', seen.phase === 'up' ? `up ${asked}` : 'empty', asked) >= (d.cloud.settling ?? 0)
    if (seen.phase !== 'up' && empty) return seen.machines.some((machine) => machine.state !== 'gone')
    if (waited.time > PENDING_LIMIT) throw new RemoteError(`run "${d.name}": its machines are still there after 10 minutes`, { hint })
    await untilNextLook(engine, d, rest)
  }
}

/**
 * Waits for the next look: until the cloud says that the machines are gone, if it can. It does not notice everything (a lost node), so not for
 * ever.
 */
async function untilNextLook({ clock }: Engine, d: Deployment, rest: number): Promise<void> {
  if (!d.cloud.emptied) return clock.sleep(rest)
  const over = new AbortController()
  const slept = clock.sleep(UNANNOUNCED, over.signal).catch(() => undefined)
  const ended = d.cloud.emptied(d, over.signal).catch(async () => clock.sleep(rest, over.signal).catch(() => undefined))
  // Not sooner than that, however often the cloud says so.
  await Promise.all([Promise.race([ended, slept]), clock.sleep(PENDING_POLL)])
  over.abort()
}
