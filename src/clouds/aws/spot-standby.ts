/**
 * The twin of a spot group (`spot: prefer`): a group of on-demand machines that stays empty until its own scheduled action starts it. The
 * machine that holds the work keeps postponing that; if none does any more, AWS starts the twin, even if every command and every machine is
 * gone. This code runs on machines.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_PutScheduledUpdateGroupAction.html
 */
import type { MachineConfig } from '../../wire/machine.ts'
import type { Standby } from '../../wire/machine-side.ts'
import { PATIENCE, standbyStart, twinOf } from '../vm/spot-standby.ts'
import { ask, type KeySource, now } from './machine-call.ts'

/** Name of the action that starts the twin. */
export const STANDBY = 'tpi-standby'

/**
 * `isOne`: whether this machine belongs to the twin. The action sets only the desired capacity, so a maximum of 0, set by a stop or the
 * switch, wins over it.
 */
export function standbyOf(config: MachineConfig, credentials: KeySource, isOne: () => Promise<boolean>): Standby | undefined {
  const twin = twinOf(config)
  if (!twin) return undefined
  const { name, count, wait, end } = twin
  const change = async (tried: string, form: Readonly<Record<string, string>>): Promise<void> =>
    ask(config, {
      form: { ...form, AutoScalingGroupName: name, DesiredCapacity: String(count) },
      credentials,
      patience: PATIENCE,
      failure: `could not ${tried}`,
    })
  return {
    wait,
    isOne,
    hold: async () =>
      change('put off the on-demand machines', {
        Action: 'PutScheduledUpdateGroupAction',
        ScheduledActionName: STANDBY,
        StartTime: standbyStart(now(), wait, end).toISOString(),
      }),
    async rouse() {
      if (await isOne()) return false
      await change('start on-demand machines', { Action: 'SetDesiredCapacity', HonorCooldown: 'false' })
      return true
    },
  }
}

/** All work is done: both groups are scaled to 0. */
export async function endAll(config: MachineConfig, credentials: KeySource): Promise<void> {
  const { group, twin } = config.side ?? {}
  if (group === undefined || twin === undefined) return
  const end = async (name: string): Promise<void> => {
    const form = { Action: 'UpdateAutoScalingGroup', AutoScalingGroupName: name, MinSize: '0', MaxSize: '0', DesiredCapacity: '0' }
    // If it fails, each machine that comes leaves by itself, and the switch ends the rest.
    await ask(config, { form, credentials, patience: PATIENCE, failure: `could not end group ${name}` }).catch(() => undefined)
  }
  await Promise.all([end(group), end(twin)])
}
