/**
 * Machines that ended with their jobs, for lack of memory or disk. They could not record that, and look as if they were lost or taken
 * away; only the cloud knows. Such a job was not cut off: it would need as much on any other machine.
 */
import type { Machine } from '../core/cloud.ts'
import { type Deployment, type Engine, slotRecords } from '../engine/deployment.ts'
import { patiently } from '../engine/outage.ts'
import type { Attempt, SlotRecord } from '../wire/slot.ts'
import type { RunnerSpec } from '../wire/spec.ts'

/** The slots of runners, whose attempts on such machines have the causes that the cloud still knows. */
export async function slotsWithCauses(
  engine: Engine,
  d: Deployment,
  { count }: Pick<RunnerSpec, 'count'>,
  signal: AbortSignal,
): Promise<SlotRecord[]> {
  const slots = await slotRecords(d, count)
  const { machines } = await patiently(engine, async () => d.cloud.observe(d), signal)
  return slots.map((slot) => ({ ...slot, attempts: slot.attempts.map((attempt) => explained(attempt, machines)) }))
}

function explained(attempt: Attempt, machines: readonly Machine[]): Attempt {
  const { cause } = machines.find(({ id }) => id === attempt.holder) ?? {}
  return cause !== undefined && (attempt.cause === 'lost' || attempt.cause === 'interrupted') ? { ...attempt, cause } : attempt
}
