/** What a user writes → sizes, images and regions of Azure, or what is wrong with it and what to write instead. */
import { describe, expect, test } from '@jest/globals'
import { requestFaults } from '../../../src/clouds/az/faults.ts'
import { imageFaults, imageQuery } from '../../../src/clouds/az/image-name.ts'
import { CATALOGUE } from '../../../src/clouds/az/machine-types.ts'
import { accountName, groupName } from '../../../src/clouds/az/names.ts'
import { REGIONS } from '../../../src/clouds/az/settings.ts'
import { hasGpu, mixes, sizeFaults, typesOf } from '../../../src/clouds/az/sizes.ts'
import { tagFaults } from '../../../src/clouds/az/tags.ts'
import { imagesOf, placesOf, usualImagesOf } from '../../conformance/requests.ts'
import { tagsOf } from '../../setup/tags.ts'

/** The GPU of the first choice. */
const gpuOf = (choice: ReturnType<typeof typesOf>) => CATALOGUE.find(({ name }) => name === choice?.types[0])?.gpu

describe('sizes', () => {
  test.each([
    ['s', 1, 1],
    ['m', 8, 32],
    ['l', 32, 128],
    ['xl', 64, 256],
    ['m+arm', 8, 32],
    ['xl+arm', 64, 256],
  ])('%s means the same as on every cloud, and on the spot market in sizes that can share a set', (machine, cpu, memoryGiB) => {
    const choice = typesOf({ machine }, true)
    const found = CATALOGUE.filter(({ name }) => choice?.types.includes(name))
    expect(found.length).toBe(choice?.types.length)
    expect(found.length).toBeLessThanOrEqual(5)
    expect(found.length > 1).toBe(mixes(choice?.types ?? []))
    for (const size of found) {
      expect(size.cpu).toBeGreaterThanOrEqual(cpu)
      expect(size.memoryGiB).toBeGreaterThanOrEqual(memoryGiB)
      expect(size.local).toBe(found[0]?.local)
      expect(size.arch).toBe(machine.endsWith('arm') ? 'arm64' : 'x86_64')
      expect(size.name).not.toMatch(/^Standard_B/)
    }
  })

  test.each(['s', 'm', 'm+arm', 'm+t4', 'Standard_D8ds_v5', 'Standard_L8s_v3'])(
    'scratch: %s stands for sizes with local disks',
    (machine) => {
      const types = typesOf({ machine, scratch: true }, false)?.types ?? []
      expect(types.length).toBeGreaterThan(0)
      for (const name of types) expect(CATALOGUE.find((size) => size.name === name)?.local).not.toBe(false)
      for (const name of types) expect(name).not.toMatch(/^Standard_B/)
    },
  )

  test('scratch: a size without one is refused, and others are named', () => {
    expect(sizeFaults({ machine: 'Standard_D8s_v5', scratch: true }, true)).toEqual([
      {
        option: 'scratch',
        message: 'Standard_D8s_v5 of Azure has no local disk',
        hint: expect.stringContaining('these have: Standard_D8ds_v5, Standard_D8ads_v5'),
      },
    ])
  })

  test('the smallest size is burstable, but never on the spot market', () => {
    expect(typesOf({ machine: 's' }, false)?.types).toEqual(['Standard_B1s'])
    expect(typesOf({ machine: 's' }, true)?.types.length).toBeGreaterThan(1)
  })

  // The largest sizes: https://learn.microsoft.com/azure/virtual-machines/sizes/overview
  test.each([
    ['Standard_E64s_v4', 504],
    ['Standard_E64s_v5', 512],
    ['Standard_E96s_v5', 672],
    ['Standard_D48ps_v5', 192],
    ['Standard_D64ps_v5', 208],
    ['Standard_E32ps_v5', 208],
  ])('%s has %d GiB', (type, memoryGiB) => {
    expect(CATALOGUE.find(({ name }) => name === type)?.memoryGiB).toBe(memoryGiB)
  })

  test('without any request it is m, newest first', () => {
    expect(typesOf({}, true)?.types.slice(0, 2)).toEqual(['Standard_D8s_v5', 'Standard_D8as_v5'])
  })

  test.each([
    ['m+t4', 'Standard_NC4as_T4_v3', 1],
    ['l+t4', 'Standard_NC64as_T4_v3', 4],
    ['m+a100', 'Standard_NC24ads_A100_v4', 1],
    ['xl+a100', 'Standard_ND96amsr_A100_v4', 8],
    ['m+h100', 'Standard_NC40ads_H100_v5', 1],
    ['m+a10', 'Standard_NV36ads_A10_v5', 1],
  ])('%s has that GPU', (machine, first, count) => {
    const choice = typesOf({ machine }, true)
    expect(choice?.types[0]).toBe(first)
    expect(gpuOf(choice)?.count).toBe(count)
    expect(mixes(choice?.types ?? [])).toBe(false)
  })

  test.each([
    ['Standard_NC24ads_A100_v4', true],
    ['Standard_NC128lds_xl_RTXPRO6000BSE_v6', true],
    ['Standard_NV6ads_A10_v5', true],
    ['Standard_ND96isr_MI300X_v5', false],
    ['Standard_NP10s', false],
    ['Standard_D8s_v5', false],
  ])('%s has a GPU of NVIDIA: %s, whether or not it is in the list', (machine, has) => {
    expect(hasGpu({ types: typesOf({ machine }, false)?.types ?? [] })).toBe(has)
  })

  test('a GPU that the usual image has no driver for is taken only if it is named, and needs another image', () => {
    expect(gpuOf(typesOf({ gpu: { count: 1 }, memoryBytes: 400 * 2 ** 30 }, false))?.kind).toBe('a100')
    const faults = (machine: string, image?: string) =>
      requestFaults({ size: { machine }, spot: { want: 'never' }, ...(image !== undefined && { image }) })
    for (const [machine, gpu] of [
      ['m+a10', 'A10'],
      ['Standard_NV6ads_A10_v5', 'A10'],
      ['Standard_NC128ds_xl_RTXPRO6000BSE_v6', 'RTXPRO6000BSE'],
      ['m+v100', 'V100'],
      ['standard_nd40rs_v2', 'V100'],
    ] as const)
      expect(faults(machine)).toEqual([expect.objectContaining({ option: 'image', message: expect.stringContaining(`(${gpu})`) })])
    expect([...faults('m+a10', 'a:b:c:1.2.3'), ...faults('m+a100')]).toEqual([])
    const [v100] = faults('m+v100')
    const instead = /\S+:\S+:\S+:\S+(?=,)/.exec(v100?.hint ?? '')?.[0] ?? ''
    expect(faults('m+v100', instead)).toEqual([])
  })

  test('named sizes keep their order, in any case, unknown ones too', () => {
    expect(typesOf({ machine: 'standard_d8as_v5, Standard_D8s_v5' }, false)?.types).toEqual(['Standard_D8as_v5', 'Standard_D8s_v5'])
    expect(typesOf({ machine: 'Standard_D8ps_v9' }, false)).toMatchObject({ types: ['standard_d8ps_v9'], arch: 'arm64' })
    expect(typesOf({ machine: 'Standard_ND128isr_NDR_GB200_v6' }, false)).toMatchObject({ arch: 'arm64' })
    expect(typesOf({ machine: 'standard_nc4as_t4_v3' }, false)).toEqual({ types: ['Standard_NC4as_T4_v3'], arch: 'x86_64' })
  })

  test.each([
    [{ machine: 'm5.large' }, /"m5.large" is not a machine type of Azure/],
    [{ machine: 'm+k80' }, /no longer has machines with the GPU "k80"/],
    [{ machine: 'm+p100' }, /no longer has machines with the GPU "p100"/],
    [{ machine: 'm+gaudi' }, /no machines with the GPU "gaudi"/],
    [{ machine: 'Standard_D8s_v5,Standard_D8ps_v5' }, /mixes sizes/],
    [{ machine: 'Standard_D2s_v5,Standard_D4s_v5,Standard_D8s_v5,Standard_D16s_v5,Standard_D32s_v5,Standard_D48s_v5' }, /more than the 5/],
    [{ cpu: 4000 }, /no machine type of Azure has that many/],
  ])('%j is refused with what to write instead', (request, says) => {
    const [fault] = sizeFaults(request, true)
    expect(fault?.message).toMatch(says)
    expect(fault?.hint).toBeDefined()
  })
})

describe('images', () => {
  const own = '/subscriptions/s-1/resourceGroups/g-1/providers/Microsoft.Compute'
  imagesOf({ imageQuery, imageFaults }, [
    ['ubuntu', 'x86_64', { publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server', version: 'latest' }],
    ['ubuntu', 'arm64', { publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server-arm64', version: 'latest' }],
    ['debian', 'x86_64', { publisher: 'Debian', offer: 'debian-13', sku: '13-gen2', version: 'latest' }],
    ['me@a:b:c:1.2.3#plan', 'x86_64', { publisher: 'a', offer: 'b', sku: 'c', version: '1.2.3' }],
    [`${own}/images/i`, 'x86_64', { id: `${own}/images/i`, gallery: false, path: { subscription: 's-1', group: 'g-1', image: 'i' } }],
    [
      `${own}/galleries/y/images/i/versions/1.0.0`,
      'x86_64',
      {
        id: `${own}/galleries/y/images/i/versions/1.0.0`,
        gallery: true,
        path: { subscription: 's-1', group: 'g-1', gallery: 'y', image: 'i' },
      },
    ],
  ])
  usualImagesOf(imageFaults, 'PUBLISHER:OFFER:SKU:VERSION')
})

describe('tags', () => {
  const faults = (user: Readonly<Record<string, string>>): ReturnType<typeof tagFaults> =>
    tagFaults(tagsOf({ store: { url: 'az://tpi0123456789/tpi' }, user }))

  test('what Azure does not accept is refused in the same words as in other clouds', () => {
    expect(faults({ team: 'blue', 'cost center': '12' })).toEqual([])
    const [reserved, sign, nameless, long] = faults({ 'Microsoft-x': 'y', 'a/b': 'c', '': 'd', e: 'f'.repeat(257) })
    expect(reserved?.message).toBe('"Microsoft-x" is reserved for Azure or for tpi')
    expect(sign).toMatchObject({ message: '"a/b" is not a valid name of a tag on Azure', hint: 'leave out < > % & \\ ? and /' })
    expect(nameless?.hint).toBe('write NAME=VALUE')
    expect(long).toMatchObject({ message: '"e" or its value is longer than Azure allows' })
    const [many] = faults(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`t${at}`, ''])))
    expect(many?.message).toBe('60 are more than Azure takes in addition to those of tpi')
    expect(many?.hint).toMatch(/^give at most \d+$/)
  })
})

describe('places and names', () => {
  placesOf(
    REGIONS,
    [
      ['us-west', { region: 'westus2' }],
      ['westeurope', { region: 'westeurope' }],
      ['westeurope-2', { region: 'westeurope', zone: 'westeurope-2' }],
    ],
    ['us-east-1'],
  )

  test('names fit the vendor’s limits, and differ by id and incarnation', () => {
    const of = { id: `tpi-${'a'.repeat(40)}-0123456789`, incarnation: 'abcdef0123' }
    expect(groupName(of).length).toBeLessThanOrEqual(54)
    expect(groupName(of)).toMatch(/^tpi-a+-0123456789-abcdef0123$/)
    const one = accountName('01234567-89ab-cdef-0123-456789abcdef', 'westeurope')
    expect(one).toMatch(/^tpi[0-9a-f]{21}$/)
    expect(accountName('01234567-89AB-CDEF-0123-456789ABCDEF', 'westeurope')).toBe(one)
    expect(accountName('01234567-89ab-cdef-0123-456789abcdef', 'eastus')).not.toBe(one)
  })

  test('what Azure cannot do is reported before anything is made, all at once', () => {
    const faults = requestFaults({ size: { machine: 'huge' }, region: 'mars-1-2', spot: { want: 'only' }, permissionSet: 'admin' })
    expect(faults.map(({ option }) => option)).toEqual(['region', 'machine', 'permission-set'])
    const identity = '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i'
    expect(requestFaults({ size: {}, spot: { want: 'only', maxPrice: 0.2 }, permissionSet: identity })).toEqual([])
    expect(requestFaults({ size: {}, spot: { want: 'never' }, permissionSet: `${identity},${identity}` })[0]?.message).toContain('several')
  })
})
