/**
 * What Compute Engine costs in a region, from the vendor's public catalogue, which prices the parts of machine types (cores, memory, GPUs). It has
 * tens of thousands of lines and no filter, so the prices that matter are kept in a file for half a day.
 * https://cloud.google.com/billing/docs/reference/rest/v1/services.skus/list
 */
import { join } from 'node:path'
import type { CloudContext } from '../../core/cloud.ts'
import { makePrivate, readJson, writeJson } from '../../lib/files.ts'
import { dictionary, line, number, object, time } from '../../lib/shape.ts'
import { pagesOf } from '../vm/pages.ts'
import type { Api } from './api.ts'
import type { Sku, SkuList } from './sdk.ts'

/** USD per hour of one vCPU, one GiB or one GPU: `spot n2 core`, `full n2 ram`, `spot t4 gpu`. */
export type PriceList = Readonly<Record<string, number>>

/** Milliseconds. The catalogue itself may be twelve hours old. */
const AGE = 12 * 3600_000
/** Lines in one answer, at most. */
const PAGE = 5000
/** The fields that tpi reads of a line: https://cloud.google.com/apis/docs/system-parameters (fields) */
const FIELDS =
  'nextPageToken,skus(description,category(usageType),serviceRegions,pricingInfo(pricingExpression(tieredRates(unitPrice(units,nanos)))))'

const LINE = line(256)
const kept = object<{ at: string; prices: PriceList }>({ at: time, prices: dictionary(LINE, number(0, 1e6), 10_000) })

/** Throws if the catalogue does not answer. */
export async function priceList(api: Api, { home, clock }: Pick<CloudContext, 'home' | 'clock'>): Promise<PriceList> {
  const folder = join(home, 'prices')
  const file = join(folder, `gcp-${api.region}.json`)
  const had = await readJson(file, kept).catch(() => undefined)
  const now = clock.date()
  if (had && Math.abs(now.getTime() - Date.parse(had.at)) < AGE) return had.prices
  const prices = await asked(api)
  // If this command cannot store the list, the next one asks again.
  await makePrivate(folder)
    .then(async () => writeJson(file, { at: now.toISOString(), prices }))
    .catch(() => undefined)
  return prices
}

async function asked(api: Api): Promise<PriceList> {
  const prices: Record<string, number> = {}
  const ask = async (pageToken: string | undefined): Promise<SkuList> =>
    api.call('cloudbilling:services.skus.list', 'look for prices', {
      query: { currencyCode: 'USD', pageSize: PAGE, fields: FIELDS, pageToken },
    })
  for await (const page of pagesOf(ask, ({ nextPageToken }) => nextPageToken))
    for (const sku of page.skus ?? []) {
      const key = sku.serviceRegions?.includes(api.region) ? keyOf(sku) : undefined
      const price = key === undefined ? 0 : usdOf(sku)
      if (key !== undefined && price > 0) prices[key] = Math.max(prices[key] ?? 0, price)
    }
  return prices
}

/** Such as `N2D AMD Instance Core running in Americas`. Names of the oldest series have one more word, and C2 is called by its purpose. */
const PART =
  /^(?:Spot Preemptible )?(?:(Compute optimized)|([A-Z]\d+[A-Z]?)(?: AMD| Arm)?(?: Predefined)?)(?: Instance)? (Core|Ram) running in /
/** Such as `Nvidia Tesla A100 80GB GPU attached to Spot Preemptible VMs running in Americas`. The newest names lack the maker. */
const GPU = /^(?:Nvidia )?(?:Tesla )?([A-Z]\d+(?: \d+GB)?) GPU (?:attached to Spot Preemptible VMs )?running in /

/** The key of a line's price; `undefined`: tpi's machines do not use it (custom sizes, commitments, licences, single tenants …). */
function keyOf({ description = '', category }: Sku): string | undefined {
  const spot = description.includes('Spot Preemptible')
  if (category?.usageType !== (spot ? 'Preemptible' : 'OnDemand')) return undefined
  const [, optimized, series, part] = PART.exec(description) ?? []
  const [, gpu] = GPU.exec(description) ?? []
  const what = part === undefined ? gpu && `${gpu} gpu` : `${optimized === undefined ? series : 'c2'} ${part}`
  return what === undefined ? undefined : `${spot ? 'spot' : 'full'} ${what}`.toLowerCase()
}

/** The price of the dearest tier: the first one may be free. */
function usdOf({ pricingInfo = [] }: Sku): number {
  const rates = pricingInfo.at(-1)?.pricingExpression?.tieredRates ?? []
  return Math.max(0, ...rates.map(({ unitPrice }) => Number(unitPrice?.units ?? 0) + (unitPrice?.nanos ?? 0) / 1e9))
}
