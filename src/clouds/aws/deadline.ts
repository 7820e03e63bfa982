/** The dead-man's switch of a group: a scheduled action of AWS ends its machines at the hard deadline, even if no controller is left. */

import type { Ensured, Resource } from '../../core/resource.ts'
import { refusePast } from '../vm/deadline.ts'
import type { Api } from './api.ts'
import { SWITCH } from './names.ts'
import { PutScheduledUpdateGroupActionCommand, SuspendProcessesCommand } from './sdk.ts'

export interface SwitchParams {
  /** The group's name. */
  readonly name: string
  /** The hard deadline, in milliseconds since 1970. */
  readonly end: number
  /** Whether the group was made or found, once that is known. */
  readonly made: () => Ensured
  readonly signal: AbortSignal
}

export function deadlineSwitch(api: Api, { name, end, made, signal }: SwitchParams): Resource {
  return {
    kind: "dead-man's switch",
    name,
    async ensure() {
      signal.throwIfAborted()
      refusePast(`group ${name}`, end)
      const nothing = { MinSize: 0, MaxSize: 0, DesiredCapacity: 0 }
      await Promise.all([
        api.call(`schedule the end of group ${name}`, () =>
          api.autoScaling.send(
            new PutScheduledUpdateGroupActionCommand({
              AutoScalingGroupName: name,
              ScheduledActionName: SWITCH,
              StartTime: new Date(end),
              ...nothing,
            }),
          ),
        ),
        // Keeps AWS from ending machines at work to balance the zones. It has nothing to do with the deadline, but costs no extra round of calls here.
        api.call(`keep group ${name} from moving machines`, () =>
          api.autoScaling.send(new SuspendProcessesCommand({ AutoScalingGroupName: name, ScalingProcesses: ['AZRebalance'] })),
        ),
      ])
      return made()
    },
    // It is removed with its group.
    remove: async () => 'absent',
  }
}
