/** Scales a deployment's groups, one or two: down to 0, or from 0 to all machines. */
import type { CloudContext, MachineSpec, Reference } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import { type StandbyPlan, standbyPlan, standbyStart, tellStandby } from '../vm/spot-standby.ts'
import type { Api } from './api.ts'
import { describeGroup, ifThere } from './group.ts'
import { groupName, twinName } from './names.ts'
import { Watch } from './observe.ts'
import { PutScheduledUpdateGroupActionCommand, SetDesiredCapacityCommand, UpdateAutoScalingGroupCommand } from './sdk.ts'
import { STANDBY } from './spot-standby.ts'

export class GroupSizes {
  readonly #api: Api
  readonly #context: Pick<CloudContext, 'signal' | 'clock' | 'log'>
  /** Groups whose last request to grow was not answered. */
  readonly #unsure = new Set<string>()

  constructor(api: Api, context: Pick<CloudContext, 'signal' | 'clock' | 'log'>) {
    this.#api = api
    this.#context = context
  }

  /** Scales both groups to 0. Their maximum becomes 0, too, so neither a schedule nor a late command brings them back. */
  async end(of: Reference): Promise<void> {
    await Promise.all([groupName(of), twinName(of)].map(async (name) => this.#end(name)))
  }

  async #end(name: string): Promise<void> {
    const nothing = { AutoScalingGroupName: name, MinSize: 0, MaxSize: 0, DesiredCapacity: 0 }
    await this.#api.call(`scale group ${name} to 0`, () => ifThere(this.#api.autoScaling.send(new UpdateAutoScalingGroupCommand(nothing))))
  }

  /** The maximum is not changed, so a stop, which has set it to 0, wins over a late creator. */
  async start(spec: MachineSpec): Promise<void> {
    this.#context.signal.throwIfAborted()
    const { tags } = spec
    const plan = standbyPlan(spec)
    await Promise.all([this.#grow(groupName(tags), tags.count), plan && this.#wake(twinName(tags), tags.count, plan)])
  }

  /** Grows both groups, even if another command made them: the time at which the twin starts is over. */
  async resume(of: Reference, count: number): Promise<void> {
    await Promise.all([this.#grow(groupName(of), count), this.#growIfThere(twinName(of), count)])
  }

  async #growIfThere(name: string, count: number): Promise<void> {
    await this.#api.call(`scale group ${name} to ${count}`, () => ifThere(this.#setSize(name, count)))
  }

  async #grow(name: string, count: number): Promise<void> {
    if (this.#unsure.has(name) && (await this.#hasGrown(name))) return
    this.#unsure.add(name)
    await this.#api.call(`scale group ${name} to ${count}`, () => this.#setSize(name, count))
    this.#unsure.delete(name)
  }

  async #setSize(name: string, count: number): Promise<object> {
    const size = { AutoScalingGroupName: name, DesiredCapacity: count, HonorCooldown: false }
    return this.#api.autoScaling.send(new SetDesiredCapacityCommand(size))
  }

  async #wake(name: string, count: number, { wait, end }: StandbyPlan): Promise<void> {
    const StartTime = standbyStart(this.#context.clock.date().getTime(), wait * 1000, end)
    const action = { AutoScalingGroupName: name, ScheduledActionName: STANDBY, StartTime, DesiredCapacity: count }
    await this.#api.call(`schedule the start of group ${name}`, () =>
      this.#api.autoScaling.send(new PutScheduledUpdateGroupActionCommand(action)),
    )
    tellStandby(this.#context.log, StartTime, end)
  }

  /**
   * Whether the request that was not answered has arrived: the group wants machines, or has done something. Then it must not be sent again,
   * because it would bring back machines that have left since.
   */
  async #hasGrown(name: string): Promise<boolean> {
    const group = await describeGroup(this.#api, name)
    if (!group) throw new RemoteError(`aws: group ${name} does not exist`)
    if ((group.DesiredCapacity ?? 0) > 0) return true
    return (await new Watch(this.#api, [name]).look()).events.length > 0
  }
}
