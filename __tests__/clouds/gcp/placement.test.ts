/** What is looked up in the project before anything is made. */
import { describe, expect, test } from '@jest/globals'
import { isForMachines, translates } from '../../../src/clouds/gcp/placement.ts'

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
