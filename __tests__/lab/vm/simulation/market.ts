/** Where there is room for a machine, and its price: capacity by zone, type and market, prices of spot pools, quotas of the account. */
import type { Choice, Machine, Market, Order, Place, Reason } from './types.ts'

export interface Pool {
  readonly region: string
  readonly zone: string
  readonly type: string
  readonly market: Market
}

export type PoolFilter = Partial<Pool>

const keyOf = ({ region, zone, type, market }: Pool): string => [region, zone, type, market].join('/')

export class Supply {
  /** Rules in the order in which they were given: the last that matches a pool counts. */
  readonly #room: [PoolFilter, number][] = []
  readonly #prices: [PoolFilter, number][] = []
  readonly #quotas = new Map<string, number>()
  readonly #used = new Map<string, number>()
  readonly #cores: (type: string) => number

  constructor(cores: (type: string) => number) {
    this.#cores = cores
  }

  /** Number of further machines for which the pools have room from now on. */
  setRoom(filter: PoolFilter, machines: number): void {
    this.#room.push([filter, machines])
    for (const key of this.#used.keys()) if (fits(filter, poolOf(key))) this.#used.delete(key)
  }

  setPrice(filter: PoolFilter, perHour: number): void {
    this.#prices.push([filter, perHour])
  }

  /**
   * Quotas count processors, separately for each market of a region
   * (https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html). The vendors also count families separately; here all
   * types share one quota.
   */
  setQuota(region: string, market: Market, cores: number): void {
    this.#quotas.set(`${region}/${market}`, cores)
  }

  quota(region: string, market: Market): number {
    return this.#quotas.get(`${region}/${market}`) ?? Infinity
  }

  price(pool: Pool): number {
    return lastFit(this.#prices, pool) ?? this.#cores(pool.type) * (pool.market === 'spot' ? 0.015 : 0.05)
  }

  room(pool: Pool): number {
    return (lastFit(this.#room, pool) ?? Infinity) - (this.#used.get(keyOf(pool)) ?? 0)
  }

  /**
   * Where the next machine starts, or why it cannot start. Lower ranks come first, if there are ranks. Zones are balanced first; then the
   * pool with most room counts, then the cheapest (https://docs.aws.amazon.com/autoscaling/ec2/userguide/allocation-strategies.html,
   * price-capacity-optimized).
   */
  choose(
    request: { region: string; market: Market; places: readonly Place[]; choices: readonly Choice[]; one?: string | undefined },
    present: readonly Machine[],
    used: (market: Market) => number,
  ): Omit<Order, 'group' | 'template'> | Reason {
    const { region, market } = request
    const inZone = (zone: string): number => present.filter(({ place }) => place.zone === zone).length
    const all = request.places
      .filter(({ zone }) => request.one === undefined || zone === request.one)
      .flatMap((place) =>
        request.choices.map((choice) => ({ place, choice, pool: { region, zone: place.zone, type: choice.type, market } })),
      )
    const [first] = all
    if (!first) return { kind: 'invalid', market, type: '', zone: request.one ?? '' }
    const refuse = (kind: Reason['kind'], at = first): Reason => ({ kind, market, type: at.choice.type, zone: at.place.zone })
    const quota = this.quota(region, market)
    const allowed = all.filter(({ choice }) => used(market) + this.#cores(choice.type) <= quota)
    if (allowed.length === 0) return refuse('quota')
    const paid = allowed.filter(({ choice, pool }) => market !== 'spot' || this.price(pool) <= (choice.maxPrice ?? Infinity))
    if (paid.length === 0) return refuse('price', allowed[0])
    const open = paid.filter(({ pool }) => this.room(pool) > 0)
    const [best] = open.toSorted(
      (a, b) =>
        ordered(a.choice.rank ?? 0, b.choice.rank ?? 0) ||
        inZone(a.place.zone) - inZone(b.place.zone) ||
        ordered(this.room(b.pool), this.room(a.pool)) ||
        this.price(a.pool) - this.price(b.pool),
    )
    if (!best) return refuse('capacity', paid[0])
    const { place, choice } = best
    return { region, market, place, type: choice.type, ...(choice.maxPrice !== undefined && { maxPrice: choice.maxPrice }) }
  }

  take(pool: Pool): void {
    this.#used.set(keyOf(pool), (this.#used.get(keyOf(pool)) ?? 0) + 1)
  }

  giveBack(pool: Pool): void {
    this.#used.set(keyOf(pool), Math.max(0, (this.#used.get(keyOf(pool)) ?? 0) - 1))
  }

  cores(type: string): number {
    return this.#cores(type)
  }
}

/** Two infinities count as equal. */
function ordered(a: number, b: number): number {
  return a === b ? 0 : a - b
}

function poolOf(key: string): Pool {
  const [region = '', zone = '', type = '', market = ''] = key.split('/')
  return { region, zone, type, market: market === 'spot' ? 'spot' : 'on-demand' }
}

function fits(filter: PoolFilter, pool: Pool): boolean {
  return (['region', 'zone', 'type', 'market'] as const).every((field) => filter[field] === undefined || filter[field] === pool[field])
}

function lastFit(rules: readonly [PoolFilter, number][], pool: Pool): number | undefined {
  return rules.findLast(([filter]) => fits(filter, pool))?.[1]
}
