/** Raising the size of a group while somebody may ask for its end: a request to stop wins. */
import { softDeadline } from '../wire/lifetime.ts'
import { type Deployment, type Engine, readControl, readSpec } from './deployment.ts'
import { patiently } from './outage.ts'

/** A stop that came after the last check may have set the size to 0 already, and not every cloud lets that win over a later raise. */
export async function unraised(engine: Engine, d: Deployment): Promise<void> {
  if ((await readControl(d))?.stop) await patiently(engine, async () => d.cloud.scale(d, 0))
}

/**
 * For a run that waits again where it was: machines that came while another incarnation had its name have left for good. Not past its
 * deadline: by then the switch has ended its group, or is about to.
 */
export async function raiseAgain(engine: Engine, d: Deployment): Promise<void> {
  const spec = await readSpec(d)
  if (!spec || engine.clock.date().getTime() >= softDeadline(spec.lifetime) || (await readControl(d))?.stop) return
  await patiently(engine, async () => (d.cloud.resume ? d.cloud.resume(d, spec.count) : d.cloud.scale(d, spec.count)))
  await unraised(engine, d)
}
