/**
 * Leaving the group, by the one call that terminates an instance with or without a replacement.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_TerminateInstanceInAutoScalingGroup.html
 */
import type { MachineConfig } from '../../wire/machine.ts'
import type { Leaving } from '../../wire/machine-side.ts'
import { ask, type KeySource } from './machine-call.ts'

/** Milliseconds. After that, the machine is switched off, and its group replaces it. */
const PATIENCE = 90_000

/** The machine is in no group, or its group does not exist or wants no machines: then it is out, or will be ended anyway. */
const OUT = /not found|No managed instance|min(imum)? ?size/i

/** Idempotent: a machine that is out of its group is fine. Throws if it could not leave. */
export async function remove(config: MachineConfig, why: Leaving, credentials: KeySource): Promise<void> {
  const form = {
    Action: 'TerminateInstanceInAutoScalingGroup',
    InstanceId: config.machine,
    ShouldDecrementDesiredCapacity: String(why === 'done'),
  }
  await ask(config, { form, credentials, patience: PATIENCE, failure: 'could not leave the group', fine: OUT })
}
