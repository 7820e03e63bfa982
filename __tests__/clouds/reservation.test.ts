/** `reservation` on clouds of whole machines: how one is named, what it excludes, and how it changes the template of machines. */
import { describe, expect, test } from '@jest/globals'
import { reservedFaults as aws } from '../../src/clouds/aws/faults.ts'
import { settingsOf as awsSettings } from '../../src/clouds/aws/settings.ts'
import { reservedFaults as az } from '../../src/clouds/az/faults.ts'
import { settingsOf as azSettings } from '../../src/clouds/az/settings.ts'
import { type TemplateParams as AzParams, setInput } from '../../src/clouds/az/template.ts'
import { reservedFaults as gcp } from '../../src/clouds/gcp/faults.ts'
import { settingsOf as gcpSettings } from '../../src/clouds/gcp/settings.ts'
import { type TemplateParams as GcpParams, kindsOf, templateInput } from '../../src/clouds/gcp/template.ts'
import type { SpotRequest } from '../../src/core/cloud.ts'
import { specOf } from '../lab/vm/spec.ts'

interface Asked {
  readonly machine?: string
  readonly region?: string
  readonly spot?: SpotRequest
}

const CLOUDS = {
  aws: { settings: awsSettings, faults: aws, machine: 'p5.48xlarge', zone: 'us-west-2b' },
  gcp: { settings: gcpSettings, faults: gcp, machine: 'a2-highgpu-1g', zone: 'us-central1-b' },
  az: { settings: azSettings, faults: az, machine: 'Standard_D8s_v5', zone: 'westeurope' },
}
type Name = keyof typeof CLOUDS

function faultsOf(cloud: Name, reservation: string | undefined, asked: Asked = {}): readonly string[] {
  const { settings, faults, machine, zone } = CLOUDS[cloud]
  const values = { region: asked.region ?? zone, ...(reservation !== undefined && { reservation }) }
  const request = { size: { machine: asked.machine ?? machine }, spot: asked.spot ?? { want: 'never' as const } }
  // Each takes the settings of its own cloud.
  return faults(settings({ values, env: {} }) as never, request).map(({ option, message, hint }) => `${option}: ${message}; ${hint}`)
}

test.each<[Name, string]>([
  ['aws', 'cr-0123456789abcdef0'],
  ['aws', 'capacity-block:cr-0123456789abcdef0'],
  ['gcp', 'mine'],
  ['gcp', 'their-project/shared-1'],
  ['az', 'group/mine'],
  ['az', '/subscriptions/s/resourceGroups/group/providers/Microsoft.Compute/capacityReservationGroups/mine'],
])('%s takes %s', (cloud, reservation) => {
  expect(faultsOf(cloud, reservation)).toEqual([])
})

describe.each<[Name, string]>([
  ['aws', 'cr-0123456789abcdef0'],
  ['gcp', 'mine'],
  ['az', 'group/mine'],
])('%s', (cloud, right) => {
  test('an invalid one is refused, and without a reservation there is no message', () => {
    expect(faultsOf(cloud, 'no such/one/ever')).toEqual([
      expect.stringMatching(/^reservation: "no such\/one\/ever" is not a reservation of capacity; write /),
    ])
    expect(faultsOf(cloud, undefined, { machine: 'm', spot: { want: 'only' } })).toEqual([])
  })

  test('spot is refused, and several types, and sizes that stand for several', () => {
    const spot = 'reservation: reserved capacity is never a spot machine; leave spot out, or the reservation'
    const types = 'reservation: it is for one machine type, but none or several were named; name its type: --machine TYPE'
    const { machine } = CLOUDS[cloud]
    for (const want of ['only', 'prefer'] as const) expect(faultsOf(cloud, right, { spot: { want } })).toEqual([spot])
    expect(faultsOf(cloud, right, { machine: 'm' })).toEqual([types])
    expect(faultsOf(cloud, right, { machine: `${machine},${machine.replace(/8/, '4')}` })).toEqual([types])
  })
})

test('its zone must be named if the vendor does not know it', () => {
  const words = (place: string) => [`reservation: it is in one zone, but none was named; name it: ${place}`]
  expect(faultsOf('aws', 'cr-0123456789abcdef0', { region: 'us-west-2' })).toEqual(words('--region us-west-2b, or one --subnet'))
  expect(faultsOf('gcp', 'mine', { region: 'us-central1' })).toEqual(words('--region us-central1-b'))
})

test.each([
  ['mine', ['mine']],
  ['their-project/shared-1', ['projects/their-project/reservations/shared-1']],
])('Google Cloud: machines of %s and no others', (reservation, values) => {
  const params = {
    spec: specOf(undefined, { url: 'gs://tpi-x' }),
    settings: { sudo: true, mounts: [], data: [], reservation },
    early: true,
    placement: {
      project: 'tpi-lab',
      region: 'us-central1',
      zones: ['us-central1-b'],
      choice: { types: ['n2-standard-8'], arch: 'x86_64', disk: 'pd-balanced' },
      image: { url: 'ubuntu', gigabytes: 10, uefi: true },
      network: { subnetwork: 'x', nat: false },
      account: { email: 'x', scopes: [] },
    },
  } as unknown as GcpParams
  expect(templateInput(params, kindsOf(params.spec)[0]).properties?.reservationAffinity).toEqual({
    consumeReservationType: 'SPECIFIC_RESERVATION',
    key: 'compute.googleapis.com/reservation-name',
    values,
  })
})

test('Azure: only machines of a group of reservations', () => {
  const params = {
    spec: specOf(undefined, { url: 'az://tpi0123456789/tpi' }),
    settings: { region: 'westeurope', sudo: true, mounts: [], data: [], reservation: 'theirs/mine' },
    group: 'tpi-one',
    placement: {
      subscription: 's',
      region: 'westeurope',
      zones: [],
      choice: { types: ['Standard_D8s_v5'], arch: 'x86_64' },
      image: { name: 'ubuntu', reference: { id: 'ubuntu' } },
      identity: { id: '/identity', client: 'client' },
    },
  } as unknown as AzParams
  const { sku, properties } = setInput(params, { name: 'one', spot: false }) as {
    sku: object
    properties: { virtualMachineProfile: { capacityReservation?: object } }
  }
  expect(sku).toMatchObject({ name: 'Standard_D8s_v5' })
  expect(properties.virtualMachineProfile.capacityReservation).toEqual({
    capacityReservationGroup: { id: '/subscriptions/s/resourceGroups/theirs/providers/Microsoft.Compute/capacityReservationGroups/mine' },
  })
})
