/** What machines cost, by the vendor's catalogue: spot machines of a type cost the same for everybody, and the price rarely changes. */
import type { CloudContext, Reference, SpotRequest } from '../../core/cloud.ts'
import type { Quote } from '../../core/quote.ts'
import { last } from '../vm/names.ts'
import { Once } from '../vm/once.ts'
import { fullOf, quoteFor } from '../vm/price.ts'
import type { Api } from './api.ts'
import { findGroup, findTemplate } from './blueprint.ts'
import { acceleratorOf, CATALOGUE, type GoogleType } from './machine-types.ts'
import { groupName } from './names.ts'
import { instancesOf } from './observe.ts'
import type { Placement } from './placement.ts'
import { type PriceList, priceList } from './price-list.ts'

type Market = 'spot' | 'full'

/** vCPUs that are charged for types with shared cores. https://cloud.google.com/compute/docs/general-purpose-machines#e2-shared-core */
const CHARGED: Readonly<Record<string, number>> = { 'e2-micro': 0.25, 'e2-small': 0.5, 'e2-medium': 1 }
/** The catalogue's names of GPUs, if they differ from tpi's. */
const GPU_NAMES: Readonly<Record<string, string>> = { 'a100-80gb': 'a100 80gb', h100: 'h100 80gb', h200: 'h200 141gb' }

export class Prices {
  readonly #api: Api
  readonly #context: Pick<CloudContext, 'home' | 'clock'>
  readonly #list = new Once<PriceList>()

  constructor(api: Api, context: Pick<CloudContext, 'home' | 'clock'>) {
    this.#api = api
    this.#context = context
  }

  async quote({ choice }: Pick<Placement, 'choice'>, spot: SpotRequest): Promise<Quote | undefined> {
    const list = await this.#known()
    const types = choice.types.map((name) => typeOf(name, choice.added))
    const market = types.flatMap((type) => priceIn(list, type, 'spot') ?? [])
    const full = fullOf(types.map((type) => priceIn(list, type, 'full')))
    return quoteFor(spot, full, market.length === 0 ? undefined : Math.min(...market))
  }

  /**
   * USD per hour of the dearest machine that exists. Without any: of the cheapest spot machine that may come, or of the preferred type at full price.
   * `undefined`: unknown.
   */
  async now(of: Reference): Promise<number | undefined> {
    const name = groupName(of)
    const [list, template, group, present] = await Promise.all([
      this.#known(),
      findTemplate(this.#api, name),
      findGroup(this.#api, name),
      instancesOf(this.#api, name, of.incarnation),
    ])
    if (!template || !group) return undefined
    const { machineType, scheduling, guestAccelerators } = template.properties ?? {}
    const selections = Object.values(group.instanceFlexibilityPolicy?.instanceSelections ?? {})
    const wanted = selections.length > 0 ? selections.flatMap(({ machineTypes }) => machineTypes ?? []) : [machineType ?? '']
    const [gpu] = guestAccelerators ?? []
    const added = gpu ? { type: last(gpu.acceleratorType), count: gpu.acceleratorCount ?? 0 } : undefined
    const priced = (type: string, model: string | null | undefined): number | undefined =>
      priceIn(list, typeOf(type, added), marketOf(model))
    const there = [...present.values()].map((instance) => priced(last(instance.machineType), instance.scheduling?.provisioningModel))
    const model = scheduling?.provisioningModel
    const prices = there.length > 0 ? there : wanted.map((type) => priced(type, model))
    const known = prices.filter((price) => price !== undefined)
    if (known.length === 0 || known.length < prices.length) return undefined
    if (there.length > 0) return Math.max(...known)
    return marketOf(model) === 'spot' ? Math.min(...known) : known[0]
  }

  async #known(): Promise<PriceList> {
    return this.#list.get('', async () => priceList(this.#api, this.#context))
  }
}

const marketOf = (model: string | null | undefined): Market => (model === 'SPOT' ? 'spot' : 'full')

/** `undefined`: the type is not in the list, so its parts are unknown. */
function typeOf(name: string, added: GoogleType['added'] | undefined): GoogleType | undefined {
  const known = CATALOGUE.find((type) => type.name === name && type.added === undefined)
  const kind = added && CATALOGUE.find((type) => acceleratorOf(type.gpu?.kind ?? '') === added.type)?.gpu?.kind
  if (!known || !added) return known
  return kind === undefined ? undefined : { ...known, added, gpu: { kind, count: added.count } }
}

/** USD per hour, without the disk. */
function priceIn(list: PriceList, type: GoogleType | undefined, market: Market): number | undefined {
  if (!type) return undefined
  const { name, cpu, memoryGiB, gpu } = type
  const series = name.split('-')[0] ?? ''
  const parts: readonly (readonly [what: string, count: number])[] = [
    [`${series} core`, CHARGED[name] ?? cpu],
    [`${series} ram`, memoryGiB],
    ...(gpu ? [[`${GPU_NAMES[gpu.kind] ?? gpu.kind} gpu`, gpu.count] as const] : []),
  ]
  const prices = parts.map(([what, count]) => (list[`${market} ${what}`] ?? Number.NaN) * count)
  const sum = prices.reduce((all, price) => all + price, 0)
  return Number.isNaN(sum) ? undefined : sum
}
