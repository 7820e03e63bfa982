/** What machines cost: by the current prices of the spot market, and by the price list. A price that is in neither is unknown, not guessed. */
import type { CloudContext, SpotRequest } from '../../core/cloud.ts'
import type { Quote, Reach } from '../../core/quote.ts'
import { messageOf } from '../../lib/text.ts'
import { endpointIn } from '../../vendors/aws/service.ts'
import { Once } from '../vm/once.ts'
import { type Full, fullOf, quoteDespite } from '../vm/price.ts'
import type { Api } from './api.ts'
import { isApart } from './names.ts'
import type { Placement } from './placement.ts'
import { ADDRESS, GATEWAY, type Listed, listPrice, machineOf } from './price-list.ts'
import { type AutoScalingGroup, DescribeSpotPriceHistoryCommand } from './sdk.ts'

/**
 * Types that may always compute above the baseline that their price covers; what they use beyond their credits is charged. Without that, they
 * would boot at a tenth of a processor.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/burstable-performance-instances-unlimited-mode.html
 */
const UNLIMITED = /^t(?:3a?|4g)\./

export class Prices {
  readonly #api: Api
  readonly #context: Pick<CloudContext, 'env' | 'clock' | 'log'>
  /** List prices hold for longer than any command. */
  readonly #listed = new Once<number | undefined>()

  constructor(api: Api, context: Pick<CloudContext, 'env' | 'clock' | 'log'>) {
    this.#api = api
    this.#context = context
  }

  /** USD per hour of the dearest machine that exists, else of the cheapest that may come. `undefined`: unknown. */
  async now(groups: readonly AutoScalingGroup[]): Promise<number | undefined> {
    const inUse = groups.filter(({ Instances = [] }) => Instances.length > 0)
    const asked = inUse.length > 0 ? inUse : groups.filter(({ MaxSize = 0 }) => MaxSize > 0).slice(0, 1)
    return fullOf(await Promise.all(asked.map(async (group) => this.#ofGroup(group))))?.most
  }

  /**
   * Throws if the price is unknown because the price list could not be asked. On the spot market, the vendor never charges more than the
   * on-demand price: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-spot-instances.html
   */
  async quote({ types, subnets }: Pick<Placement, 'types' | 'subnets'>, spot: SpotRequest): Promise<Quote | undefined> {
    const zones = new Set(subnets.map(({ zone }) => zone))
    const trouble: unknown[] = []
    const [full, market] = await Promise.all([
      this.#full(types, trouble),
      spot.want === 'never' ? undefined : this.#market(types, zones, Math.min),
    ])
    const quote = quoteDespite(trouble[0], spot, full, market)
    if (!quote || !types.some((type) => UNLIMITED.test(type))) return quote
    return { ...quote, onTop: 'what T3, T3a or T4g compute above their baseline (CPU credits), by the vCPU-hour' }
  }

  /** What the way to the internet costs, in addition. `addressed`: by a public address of each machine, else by a NAT gateway. */
  async reach(addressed: boolean): Promise<Pick<Reach, 'address' | 'gateway'>> {
    const [address, gateway] = await Promise.all([
      addressed ? this.#price('a public address', ADDRESS).catch(() => undefined) : undefined,
      addressed ? undefined : this.#price('what goes through a NAT gateway', GATEWAY).catch(() => undefined),
    ])
    return { ...(address !== undefined && { address }), ...(gateway !== undefined && { gateway }) }
  }

  async #ofGroup({ MixedInstancesPolicy: policy, Instances = [] }: AutoScalingGroup): Promise<number | undefined> {
    const present = Instances.flatMap(({ InstanceType }) => InstanceType ?? [])
    const wanted = (policy?.LaunchTemplate?.Overrides ?? []).flatMap(({ InstanceType }) => InstanceType ?? [])
    const types = [...new Set(present.length > 0 ? present : wanted)]
    const zones = new Set(Instances.flatMap(({ AvailabilityZone }) => AvailabilityZone ?? []))
    if (types.length === 0) return undefined
    if (policy?.InstancesDistribution?.OnDemandPercentageAboveBaseCapacity === 0)
      return this.#market(types, zones, present.length > 0 ? Math.max : Math.min)
    const full = await this.#full(types)
    return present.length > 0 ? full?.most : full?.first
  }

  async #market(types: readonly string[], zones: ReadonlySet<string>, which: (...prices: number[]) => number): Promise<number | undefined> {
    const { SpotPriceHistory = [] } = await this.#api.call('look for spot prices', () =>
      this.#api.ec2.send(
        new DescribeSpotPriceHistoryCommand({
          InstanceTypes: [...types] as ['m5.large'],
          ProductDescriptions: ['Linux/UNIX'],
          // The current price only.
          StartTime: this.#context.clock.date(),
        }),
      ),
    )
    const prices = SpotPriceHistory.filter(({ AvailabilityZone = '' }) => zones.size === 0 || zones.has(AvailabilityZone))
      .map(({ SpotPrice }) => Number(SpotPrice))
      .filter((price) => price > 0)
    return prices.length === 0 ? undefined : which(...prices)
  }

  /** `trouble` gets the error if a price could not be asked for. */
  async #full(types: readonly string[], trouble: unknown[] = []): Promise<Full | undefined> {
    const asked = Promise.all(types.map(async (type) => this.#price(type, machineOf(type))))
    const prices = await asked.catch((error: unknown) => {
      trouble.push(error)
      return []
    })
    return fullOf(prices)
  }

  /** Other partitions have price lists of their own, which this one does not include. */
  async #price(what: string, wanted: Listed): Promise<number | undefined> {
    if (isApart(this.#api.region)) return undefined
    const { env, log } = this.#context
    const ask = async (): Promise<number | undefined> => listPrice(this.#api, endpointIn(env, 'PRICING'), wanted)
    return this.#listed.get(what, ask).catch((error: unknown) => {
      log.debug(`the price of ${what} is not known: ${messageOf(error)}`)
      throw error
    })
  }
}
