/** Scales a deployment's groups (one, or two): down to 0, or from 0 to all machines. */
import { randomUUID } from 'node:crypto'
import type { CloudContext, Reference } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import { type StandbyPlan, standbyStart, tellStandby } from '../vm/spot-standby.ts'
import type { Api } from './api.ts'
import { findAutoscaler, findGroup, silence } from './blueprint.ts'
import { GONE } from './errors.ts'
import { groupName, twinName } from './names.ts'
import { through } from './operation.ts'
import type { Autoscaler } from './sdk.ts'
import { isDue, startsIn, startsSoon } from './standby-schedule.ts'

export class GroupSizes {
  readonly #api: Api
  readonly #context: Pick<CloudContext, 'signal' | 'clock' | 'log'>
  readonly #name: string
  readonly #twin: string
  /** The plan for a twin that this process has made. */
  #standby: StandbyPlan | undefined
  /** Request ids by group and size: a request whose answer was lost is repeated with the same id, so the vendor does it only once. */
  readonly #requests = new Map<string, string>()

  constructor(api: Api, of: Reference, context: Pick<CloudContext, 'signal' | 'clock' | 'log'>) {
    this.#api = api
    this.#context = context
    this.#name = groupName(of)
    this.#twin = twinName(of)
  }

  /** Scheduled together with the first machine: a twin that starts before everything is ready would find nothing to do. */
  planStandby(plan: StandbyPlan): void {
    this.#standby = plan
  }

  /** Ends everything. The twin's autoscaler is removed first, for good, so that a late command cannot start it again. */
  async end(): Promise<void> {
    await Promise.all([this.#resize(this.#name, 0), this.#endTwin()])
  }

  async #endTwin(): Promise<void> {
    if (!(await findGroup(this.#api, this.#twin))) return
    await silence(this.#api, this.#twin)
    await this.#resize(this.#twin, 0)
  }

  async start(count: number): Promise<void> {
    this.#context.signal.throwIfAborted()
    await Promise.all([this.#grow(count), this.#schedule(count)])
  }

  /** Grows both groups, even if another command made them. A later start that is still to come stays as it is. */
  async resume(count: number): Promise<void> {
    this.#context.signal.throwIfAborted()
    await Promise.all([this.#grow(count), this.#growTwin(count)])
  }

  async #grow(count: number): Promise<void> {
    if (!(await this.#resize(this.#name, count))) throw new RemoteError(`gcp: group ${this.#name} does not exist`)
  }

  async #growTwin(count: number): Promise<void> {
    if (!(await findGroup(this.#api, this.#twin))) return
    const schedule = await findAutoscaler(this.#api, this.#twin)
    const now = this.#context.clock.date().getTime()
    if (!schedule || !isDue(schedule, now)) return
    // The end of a group that another process made is unknown here; near the end, the schedule is not due.
    const change = startsSoon({ count, end: this.#standby?.end ?? Infinity }, now)
    if (change) await this.#change(change)
  }

  async #schedule(count: number): Promise<void> {
    if (!this.#standby) return
    const { wait, end } = this.#standby
    const now = this.#context.clock.date().getTime()
    await this.#change(startsIn(wait * 1000, { count, end }, now))
    tellStandby(this.#context.log, standbyStart(now, wait * 1000, end), end)
  }

  /** If the autoscaler does not exist any more, somebody has ended both groups. */
  async #change(body: Autoscaler): Promise<void> {
    const tried = `arm group ${this.#twin}`
    const query = { autoscaler: this.#twin, requestId: randomUUID() }
    const operation = await this.#api.unless(GONE, 'compute:regionAutoscalers.patch', tried, { query, body })
    if (operation) await through(this.#api, tried, operation)
  }

  /** `false`: there is no such group. */
  async #resize(name: string, size: number): Promise<boolean> {
    const key = `${name} ${size}`
    const requestId = this.#requests.get(key) ?? randomUUID()
    this.#requests.set(key, requestId)
    const asked = await this.#api.unless(GONE, 'compute:regionInstanceGroupManagers.resize', `scale group ${name} to ${size}`, {
      path: { instanceGroupManager: name },
      query: { size, requestId },
    })
    this.#requests.delete(key)
    return asked !== undefined
  }
}
