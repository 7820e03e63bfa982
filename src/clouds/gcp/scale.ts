/** Sets the size of a deployment's groups (one, or two): to 0, or from 0 to all machines. */
import { randomUUID } from 'node:crypto'
import type { CloudContext, MachineSpec, Reference } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import { Once } from '../vm/once.ts'
import { refusalIn } from '../vm/refusal.ts'
import { type StandbyPlan, standbyPlan, standbyStart, tellStandby } from '../vm/spot-standby.ts'
import type { Api } from './api.ts'
import { findAutoscaler, findGroup, silence, YOUNG } from './blueprint.ts'
import { FailedOperation, GONE, isOneOf } from './errors.ts'
import { groupName, twinName } from './names.ts'
import { through } from './operation.ts'
import type { Autoscaler, Operation } from './sdk.ts'
import { isDue, startsIn, startsSoon } from './standby-schedule.ts'

/** A change of a group's size whose end is not known yet. */
interface Change {
  readonly size: number
  /** A request whose answer was lost is repeated with the same id, so the vendor does it only once. */
  readonly requestId: string
  operation?: Operation
}

export class GroupSizes {
  readonly #api: Api
  readonly #context: Pick<CloudContext, 'signal' | 'clock' | 'log'>
  readonly #name: string
  readonly #twin: string
  /** By group: its last one. If another size was asked for since, it is not continued: the vendor would do nothing, because it has seen the id. */
  readonly #changes = new Map<string, Change>()
  /** Parts of a start that has not fully succeeded yet. A part that is done is not repeated, because machines may have left since. */
  #starting = new Once<void>()
  /** When something that this process had just made was first missing. */
  #missingSince: number | undefined

  constructor(api: Api, of: Reference, context: Pick<CloudContext, 'signal' | 'clock' | 'log'>) {
    this.#api = api
    this.#context = context
    this.#name = groupName(of)
    this.#twin = twinName(of)
  }

  /** Ends everything. The twin's autoscaler is removed first, for good, so that a late command cannot start it again. */
  async end(): Promise<void> {
    this.#starting = new Once()
    await Promise.all([this.#resize(this.#name, 0), this.#endTwin()])
  }

  async #endTwin(): Promise<void> {
    if (!(await findGroup(this.#api, this.#twin))) return
    await silence(this.#api, this.#twin)
    await this.#resize(this.#twin, 0)
  }

  /** The twin gets its date only now: machines that start before everything is ready would find nothing to do. */
  async start(spec: MachineSpec): Promise<void> {
    this.#context.signal.throwIfAborted()
    const { count } = spec.tags
    const plan = standbyPlan(spec)
    await Promise.all([
      this.#starting.get(`group ${count}`, async () => this.#grow(count, 'new')),
      plan && this.#starting.get(`standby ${count}`, async () => this.#schedule(count, plan)),
    ])
    this.#starting = new Once()
  }

  /** Grows both groups, even if another command made them. If the twin's start is still to come, it stays as it is. */
  async resume(count: number): Promise<void> {
    await Promise.all([this.#grow(count), this.#growTwin(count)])
  }

  async #grow(count: number, age?: 'new'): Promise<void> {
    if (await this.#resize(this.#name, count, age && this.#context.signal)) return
    throw new RemoteError(`gcp: group ${this.#name} does not exist`, { retryable: age === 'new' && this.#isYoung() })
  }

  async #growTwin(count: number): Promise<void> {
    if (!(await findGroup(this.#api, this.#twin))) return
    const schedule = await findAutoscaler(this.#api, this.#twin)
    const now = this.#context.clock.date().getTime()
    if (!schedule || !isDue(schedule, now)) return
    // The end of the group is unknown here; near the end, the schedule is not due.
    const change = startsSoon({ count, end: Infinity }, now)
    if (change) await this.#change(change)
  }

  async #schedule(count: number, { wait, end }: StandbyPlan): Promise<void> {
    const now = this.#context.clock.date().getTime()
    if (await this.#change(startsIn(wait * 1000, { count, end }, now)))
      return tellStandby(this.#context.log, standbyStart(now, wait * 1000, end), end)
    if (this.#isYoung()) throw new RemoteError(`gcp: autoscaler ${this.#twin} does not exist yet`, { retryable: true })
    this.#context.log.warn(`no machines at full price will start: autoscaler ${this.#twin} does not exist any more`)
  }

  /** Whether something that is missing may just be too new to be found. If not, somebody has ended both groups. */
  #isYoung(): boolean {
    const now = this.#context.clock.now()
    this.#missingSince ??= now
    return now - this.#missingSince < YOUNG
  }

  /** `false`: there is no autoscaler. */
  async #change(body: Autoscaler): Promise<boolean> {
    const tried = `set when group ${this.#twin} starts`
    const query = { autoscaler: this.#twin, requestId: randomUUID() }
    const operation = await this.#api.unless(GONE, 'compute:regionAutoscalers.patch', tried, { query, body })
    if (operation) await through(this.#api, tried, operation)
    return operation !== undefined
  }

  /** Waits until the change is planned, because it may fail only then. Only a start obeys a signal. `false`: there is no such group. */
  async #resize(name: string, size: number, signal?: AbortSignal): Promise<boolean> {
    const last = this.#changes.get(name)
    const change = last?.size === size ? last : { size, requestId: randomUUID() }
    this.#changes.set(name, change)
    const forget = (): void => {
      if (this.#changes.get(name) === change) this.#changes.delete(name)
    }
    const there = await this.#through(change, name, signal).catch((error: unknown) => {
      const cause = refusalIn(error)
      if (cause instanceof FailedOperation) forget()
      if (isOneOf(cause, GONE)) return false
      throw error
    })
    forget()
    return there
  }

  async #through(change: Change, name: string, signal: AbortSignal | undefined): Promise<boolean> {
    const { size, requestId } = change
    const tried = `scale group ${name} to ${size}`
    const ask = { path: { instanceGroupManager: name }, query: { size, requestId } }
    const operation = change.operation ?? (await this.#api.unless(GONE, 'compute:regionInstanceGroupManagers.resize', tried, ask))
    if (!operation) return false
    change.operation = operation
    await through(this.#api, tried, operation, signal)
    return true
  }
}
