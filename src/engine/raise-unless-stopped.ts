/** Raising the size of a group while somebody may ask to stop the run: the request wins. */
import { softDeadline } from '../wire/lifetime.ts'
import { type Deployment, type Engine, readControl, readSpec } from './deployment.ts'
import { patiently } from './outage.ts'

/**
 * To be called after the size was raised. A command that requests a stop sets the size to 0; if that came just before the raise, this sets it to 0
 * once more.
 */
export async function lowerIfStopped(engine: Engine, d: Deployment): Promise<void> {
  if ((await readControl(d))?.stop) await patiently(engine, async () => d.cloud.end(d))
}

/**
 * Requests a run's machines again, after a move to another region was undone: those that came while another incarnation had the name have left for
 * good. Does nothing past the deadline, because the dead-man's switch ends the group then, nor after a request to stop.
 */
export async function raiseAgain(engine: Engine, d: Deployment): Promise<void> {
  const spec = await readSpec(d)
  if (!spec || engine.clock.date().getTime() >= softDeadline(spec.lifetime) || (await readControl(d))?.stop) return
  await patiently(engine, async () => d.cloud.resume?.(d, spec.count))
  await lowerIfStopped(engine, d)
}
