/** What is looked up in the project before anything is made. */
import { describe, expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { isForMachines, networkOf, translates } from '../../../src/clouds/gcp/placement.ts'

/** https://cloud.google.com/compute/docs/reference/rest/v1/routers (nats[]) */
describe('a NAT is a way out', () => {
  const OWN = 'https://www.googleapis.com/compute/v1/projects/p/regions/us-central1/subnetworks/own'
  const ALL = 'ALL_SUBNETWORKS_ALL_IP_RANGES'
  const list = (name: string, ...sourceIpRangesToNat: string[]) => ({
    sourceSubnetworkIpRangesToNat: 'LIST_OF_SUBNETWORKS',
    subnetworks: [{ name: OWN.replace('own', name), sourceIpRangesToNat }],
  })
  test.each([
    ['for all subnetworks', [{ sourceSubnetworkIpRangesToNat: ALL }], true],
    ['for their primary ranges', [{ type: 'PUBLIC', sourceSubnetworkIpRangesToNat: 'ALL_SUBNETWORKS_ALL_PRIMARY_IP_RANGES' }], true],
    ['for this subnetwork', [list('own', 'ALL_IP_RANGES')], true],
    ['for the primary range of this subnetwork', [list('own', 'LIST_OF_SECONDARY_IP_RANGES', 'PRIMARY_IP_RANGE')], true],
    ['not for addresses of pods only', [list('own', 'LIST_OF_SECONDARY_IP_RANGES')], false],
    ['not for another subnetwork', [list('other', 'ALL_IP_RANGES')], false],
    ['not if it is private', [{ type: 'PRIVATE', sourceSubnetworkIpRangesToNat: ALL }], false],
    ['not if it translates only to IPv4 for IPv6', [{ sourceSubnetworkIpRangesToNat64: 'ALL_IPV6_SUBNETWORKS' }], false],
    ['by the second of two', [{ type: 'PRIVATE', sourceSubnetworkIpRangesToNat: ALL }, list('own', 'ALL_IP_RANGES')], true],
    ['not without any', undefined, false],
  ] as const)('%s', (_, nats, out) => {
    expect(translates({ ...(nats && { nats: structuredClone(nats) as never }) }, OWN)).toBe(out)
  })
})

/** https://cloud.google.com/compute/docs/reference/rest/v1/subnetworks (purpose) */
test('machines start in no subnetwork that is reserved for something else', () => {
  expect([{}, { purpose: 'PRIVATE' }, { purpose: 'PRIVATE_RFC_1918' }].map(isForMachines)).toEqual([true, true, true])
  for (const purpose of [
    'REGIONAL_MANAGED_PROXY',
    'GLOBAL_MANAGED_PROXY',
    'INTERNAL_HTTPS_LOAD_BALANCER',
    'PRIVATE_SERVICE_CONNECT',
    'PRIVATE_NAT',
  ])
    expect([purpose, isForMachines({ purpose })]).toEqual([purpose, false])
})

describe('a network', () => {
  const at = (name: string): string => `https://www.googleapis.com/compute/v1/projects/p/regions/us-central1/subnetworks/${name}`
  const subnet = (name: string, more = {}) => ({
    name,
    network: 'https://x/projects/p/global/networks/default',
    selfLink: at(name),
    ...more,
  })
  /** Gives one item a page; the token of the next page is its number. */
  const project = (lists: Readonly<Record<string, readonly object[]>>) => {
    const call = async (name: string, _: string, { query }: Ask = {}): Promise<unknown> => {
      const all = lists[name] ?? []
      const page = Number(query?.['pageToken'] ?? 0)
      return { items: all.slice(page, page + 1), ...(page + 1 < all.length && { nextPageToken: String(page + 1) }) }
    }
    return { call } as unknown as Api
  }
  const found = async (named: { readonly subnetwork?: string }, subnets: readonly object[], routers: readonly object[] = []) =>
    networkOf(project({ 'compute:subnetworks.list': subnets, 'compute:routers.list': routers }), { region: 'us-central1', ...named })

  test('is found on a later page of subnetworks, and its NAT on a later page of routers', async () => {
    const { network } = subnet('own')
    const nats = [{ sourceSubnetworkIpRangesToNat: 'ALL_SUBNETWORKS_ALL_IP_RANGES' }]
    const others = [subnet('a', { network: 'other' }), subnet('b', { network: 'other' })]
    const seen = await found(
      { subnetwork: 'own' },
      [...others, subnet('own')],
      [
        { network: 'other', nats },
        { network, nats },
      ],
    )
    expect(seen).toEqual({ network, subnetwork: at('own'), nat: true })
  })

  test('has machines only where they get IPv4; a subnetwork without it that was named is refused', async () => {
    const only6 = subnet('six', { stackType: 'IPV6_ONLY' })
    const both = subnet('both', { stackType: 'IPV4_IPV6' })
    expect((await found({}, [only6, both])).subnetwork).toBe(at('both'))
    const message = 'six in us-central1 has only IPv6, and machines need IPv4'
    await expect(found({ subnetwork: 'six' }, [both, only6])).rejects.toMatchObject({ faults: [{ option: 'subnetwork', message }] })
  })
})
