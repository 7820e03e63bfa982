/**
 * Out of the group, by the one call that lets an instance go with or without a successor.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_TerminateInstanceInAutoScalingGroup.html
 */
import type { MachineConfig } from '../../wire/machine.ts'
import type { Leaving } from '../../wire/machine-side.ts'
import { ask, type Keys } from './machine-call.ts'

/** Milliseconds: a machine that cannot leave is switched off, and its group replaces it. */
const PATIENCE = 90_000

/**
 * Idempotent: an instance that the group does not have, and a group that does not exist or wants none, are fine: both mean that we are out, or will be
 * taken out. Throws when it could not be done.
 */
export async function terminate(config: MachineConfig, why: Leaving, credentials: Keys): Promise<void> {
  const form = {
    Action: 'TerminateInstanceInAutoScalingGroup',
    InstanceId: config.machine,
    ShouldDecrementDesiredCapacity: String(why === 'done'),
  }
  const fault = await ask(config, { form, credentials, patience: PATIENCE })
  if (!fault || (fault.code === 'ValidationError' && /not found|No managed instance|min(imum)? ?size/i.test(fault.message))) return
  throw new Error(`could not leave the group: ${fault.text}`)
}
