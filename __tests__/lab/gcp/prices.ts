/**
 * The price catalogue: lines for the parts of machines, among many others. Names and format as in recorded answers;
 * https://cloud.google.com/billing/docs/reference/rest/v1/services.skus/list (a page may be shorter than requested).
 */
import { type Fields, textOf } from './discovery.ts'
import { GcpFault } from './fault.ts'

const COMPUTE = '6F81-5844-456A'
const PAGE = 4
const AMERICAS = ['us-central1', 'us-east1', 'us-west1']

type Line = readonly [description: string, usage: string, nanos: number, regions?: readonly string[], free?: boolean]

const LINES: readonly Line[] = [
  ['N2 Instance Core running in Americas', 'OnDemand', 31_611_000],
  ['N2 Instance Ram running in Americas', 'OnDemand', 4_237_000],
  ['N2 Custom Instance Core running in Americas', 'OnDemand', 33_174_000],
  ['Commitment v1: N2 Cpu in Americas for 1 Year', 'Commit1Yr', 19_915_000],
  ['N2 Sole Tenancy Instance Core running in Americas', 'OnDemand', 3_161_100],
  ['Spot Preemptible N2 Instance Core running in Americas', 'Preemptible', 7_652_000],
  ['Spot Preemptible N2 Instance Ram running in Americas', 'Preemptible', 1_026_000],
  ['N2 Instance Core running in Netherlands', 'OnDemand', 34_806_000, ['europe-west4']],
  ['N2D AMD Instance Core running in Americas', 'OnDemand', 27_502_000],
  ['N2D AMD Instance Ram running in Americas', 'OnDemand', 3_686_000],
  ['Spot Preemptible N2D AMD Instance Core running in Americas', 'Preemptible', 5_000_000],
  ['Spot Preemptible N2D AMD Instance Ram running in Americas', 'Preemptible', 700_000],
  ['N1 Predefined Instance Core running in Americas', 'OnDemand', 31_611_000],
  ['N1 Predefined Instance Ram running in Americas', 'OnDemand', 4_237_000],
  ['Nvidia Tesla T4 GPU running in Americas', 'OnDemand', 350_000_000],
  ['Nvidia Tesla T4 GPU attached to Spot Preemptible VMs running in Americas', 'Preemptible', 140_000_000],
  ['Compute optimized Core running in Americas', 'OnDemand', 33_980_000],
  ['E2 Instance Core running in Americas', 'OnDemand', 21_812_000, AMERICAS, true],
  ['E2 Instance Ram running in Americas', 'OnDemand', 2_924_000],
  ['Licensing Fee for Ubuntu Pro', 'OnDemand', 1_000_000, ['global']],
]

export function skus(request: Fields): Fields {
  if (textOf(request, 'parent') !== `services/${COMPUTE}`)
    throw new GcpFault(404, 'Requested entity was not found.', { reason: 'notFound', status: 'NOT_FOUND' })
  const from = Number(textOf(request, 'pageToken', '0'))
  const found = LINES.slice(from, from + Math.min(PAGE, Number(textOf(request, 'pageSize', '5000'))))
  return {
    skus: found.map(([description, usageType, nanos, regions = AMERICAS, free = false], at) => ({
      name: `services/${COMPUTE}/skus/0000-0000-${from + at}`,
      skuId: `0000-0000-${from + at}`,
      description,
      category: { serviceDisplayName: 'Compute Engine', resourceFamily: 'Compute', resourceGroup: 'CPU', usageType },
      serviceRegions: regions,
      pricingInfo: [
        {
          summary: '',
          pricingExpression: {
            usageUnit: 'h',
            usageUnitDescription: 'hour',
            baseUnit: 's',
            tieredRates: [
              ...(free ? [{ startUsageAmount: 0, unitPrice: { currencyCode: 'USD', units: '0', nanos: 0 } }] : []),
              { startUsageAmount: 0, unitPrice: { currencyCode: 'USD', units: '0', nanos } },
            ],
          },
          currencyConversionRate: 1,
          effectiveTime: '2026-11-01T00:00:00Z',
        },
      ],
      serviceProviderName: 'Google',
      geoTaxonomy: { type: 'MULTI_REGIONAL', regions },
    })),
    nextPageToken: from + PAGE < LINES.length ? String(from + PAGE) : '',
  }
}
