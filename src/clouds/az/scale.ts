/** Scales a deployment's sets, one or two: down to 0, or from 0 to all machines. */
import type { CloudContext, MachineSpec, Reference } from '../../core/cloud.ts'
import { CapacityError, RemoteError, TpiError } from '../../core/errors.ts'
import { messageOf } from '../../lib/text.ts'
import { type StandbyPlan, standbyPlan, standbyStart, tellStandby } from '../vm/spot-standby.ts'
import type { Answer } from '../vm/transport.ts'
import type { Api } from './api.ts'
import { Keeper } from './autoscale.ts'
import { reasonOf } from './messages.ts'
import { groupName, twinName } from './names.ts'
import { type Going, goingOn } from './operation.ts'
import type { AutoscaleSetting, ScaleSet } from './sdk.ts'

type Sku = NonNullable<ScaleSet['sku']>
/** Who is told what becomes of a change of size. */
interface Follower {
  tell(code: string, message: string): void
  expects(going: Going | undefined): void
}

type Context = Pick<CloudContext, 'signal' | 'clock' | 'log'>

export class GroupSizes {
  readonly #api: Api
  readonly #context: Context
  readonly #name: string
  readonly #twin: string
  /** Resource group. */
  readonly #group: string
  readonly #keepers: ReadonlyMap<string, Keeper>
  readonly #skus = new Map<string, Sku>()
  readonly #seen = new Map<string, Sku>()

  constructor(api: Api, of: Reference, group: string, context: Context) {
    this.#api = api
    this.#context = context
    this.#name = groupName(of)
    this.#twin = twinName(of)
    this.#group = group
    this.#keepers = new Map([this.#name, this.#twin].map((name) => [name, new Keeper(api, name, group)]))
  }

  keeper(set: string): Keeper {
    const found = this.#keepers.get(set)
    if (!found) throw new Error(`az: ${this.#name} has no scale set ${set}`)
    return found
  }

  /** Remembers what this process has just made, so that it need not be read. */
  knows(set: string, { setting, sku }: { readonly setting?: AutoscaleSetting; readonly sku?: Sku | undefined }): void {
    if (setting) this.keeper(set).knows(setting)
    if (sku) this.#skus.set(set, sku)
  }

  /** Remembers what a list says: that is enough to end the sets, whatever has happened to them since. */
  saw(settings: readonly AutoscaleSetting[], sets: readonly ScaleSet[]): void {
    for (const setting of settings) this.#keepers.get(setting.name?.toLowerCase() ?? '')?.saw(setting)
    for (const { name = '', sku } of sets) if (sku) this.#seen.set(name.toLowerCase(), sku)
  }

  /** Scales both sets to 0. The setting comes first: whatever happens to a set afterwards, its setting brings it to 0. */
  async end(): Promise<void> {
    this.#skus.clear()
    await Promise.all(
      [...this.#keepers].map(async ([set, keeper]) => {
        const [, sku] = await Promise.all([keeper.endAsSeen(), this.#seen.get(set) ?? this.#sku(set)])
        // Also ends it again if somebody has written meanwhile.
        await Promise.all([sku && this.#resize(set, 0, sku), keeper.end()])
      }),
    )
  }

  /** The twin gets its date only now: machines that start before everything is ready would find nothing to do. */
  async start(spec: MachineSpec, follower: Follower): Promise<void> {
    this.#context.signal.throwIfAborted()
    const { count } = spec.tags
    const plan = standbyPlan(spec)
    await Promise.all([this.#grow(count, follower, plan), plan && this.#wake(count, plan)])
  }

  /** Grows both sets, even if another command made them. A twin that has started grows by its setting, which goes on trying while there is no room. */
  async resume(count: number, follower: Follower): Promise<void> {
    const now = this.#context.clock.date().getTime()
    await Promise.all([this.#grow(count, follower), this.keeper(this.#twin).resume(count, now)])
  }

  async #grow(count: number, follower: Follower, plan?: StandbyPlan): Promise<void> {
    const set = this.#name
    const keep = async (): Promise<void> => {
      if (!(await this.keeper(set).keep(count))) throw new RemoteError(`az: group ${set} does not exist, or has been ended`)
    }
    const raise = async (sku: Sku | undefined): Promise<void> => {
      const answer = await this.#resize(set, count, sku).catch(async (error: unknown) => {
        // The setting goes on trying while there is no room.
        if (!(error instanceof CapacityError || (await this.#isOnlyOfSpot(error, plan)))) throw error
        follower.tell('', messageOf(error))
        return undefined
      })
      follower.expects(answer && goingOn(answer))
    }
    const made = this.#skus.get(set)
    this.#skus.delete(set)
    // This process has just made both, so neither has to be read. Otherwise the setting first tells whether the group was ended.
    if (made) await Promise.all([keep(), raise(made)])
    else await raise((await Promise.all([this.#sku(set), keep()]))[0])
  }

  /** Whether Azure refuses only spot machines, and those at full price may still come. It refuses a set above its quota at once. */
  async #isOnlyOfSpot(error: unknown, plan: StandbyPlan | undefined): Promise<boolean> {
    if (!(error instanceof TpiError && reasonOf('', messageOf(error)).spotOnly)) return false
    return plan !== undefined || (await this.#sku(this.#twin)) !== undefined
  }

  async #wake(count: number, plan: StandbyPlan): Promise<void> {
    const now = this.#context.clock.date().getTime()
    await this.keeper(this.#twin).postpone(plan, count, now)
    tellStandby(this.#context.log, standbyStart(now, plan.wait * 1000, plan.end), plan.end)
  }

  async #sku(set: string): Promise<Sku | undefined> {
    const path = { group: this.#group, name: set }
    return (await this.#api.maybe('sets.get', `look for scale set ${set}`, { path }))?.sku
  }

  /** Sends the whole SKU with the new number, as the vendor's own clients do. */
  async #resize(set: string, count: number, sku: Sku | undefined): Promise<Answer | undefined> {
    const ask = { path: { group: this.#group, name: set }, body: { sku: { ...sku, capacity: count } } }
    return this.#api.maybeAnswer('sets.patch', `scale group ${set} to ${count}`, ask)
  }
}
