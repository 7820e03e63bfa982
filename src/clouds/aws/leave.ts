/**
 * Leaving the group, by the one call that terminates an instance with or without a replacement.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_TerminateInstanceInAutoScalingGroup.html
 */
import type { MachineConfig } from '../../wire/machine.ts'
import type { Leaving } from '../../wire/machine-side.ts'
import { ask, type Keys } from './machine-call.ts'

/** Milliseconds: a machine that cannot leave is switched off, and its group replaces it. */
const PATIENCE = 90_000

/**
 * Idempotent: an instance that is not in the group, and a group that does not exist or wants no machines, are fine: in both cases this
 * machine is out, or will be removed. Throws if it could not leave.
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
