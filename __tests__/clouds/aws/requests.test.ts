/** What a user writes → regions, instance types, images; and the messages about what AWS does not have. */
import { describe, expect, test } from '@jest/globals'
import { faultsOf } from '../../../src/clouds/aws/faults.ts'
import { imageFaults, imageQuery, usualImage } from '../../../src/clouds/aws/image-name.ts'
import { CATALOGUE } from '../../../src/clouds/aws/machine-types.ts'
import { REGIONS, settingsOf } from '../../../src/clouds/aws/settings.ts'
import { sizeFaults, typesOf } from '../../../src/clouds/aws/sizes.ts'
import { faultsOfRegion } from '../../../src/clouds/vm/region.ts'
import type { MachineSpec } from '../../../src/core/cloud.ts'
import type { SizeRequest } from '../../../src/core/size.ts'
import { imagesOf, placesOf } from '../../conformance/requests.ts'
import { tagsOf } from '../../setup/tags.ts'

const GB = 1e9
const facts = (name: string) => CATALOGUE.find((type) => type.name === name)

describe('regions', () => {
  placesOf(
    REGIONS,
    [
      ['us-west', { region: 'us-west-1' }],
      ['eu-north', { region: 'eu-north-1' }],
      ['ap-southeast-2', { region: 'ap-southeast-2' }],
      ['us-gov-west-1', { region: 'us-gov-west-1' }],
      ['eusc-de-east-1', { region: 'eusc-de-east-1' }],
      ['us-west-2b', { region: 'us-west-2', zone: 'us-west-2b' }],
    ],
    ['westus2', 'us_west_2', '', 'eu', 'us-west-2bb'],
  )

  test('an empty variable, as CI sets for one that does not exist, names none', () => {
    const region = (env: Record<string, string>): string => settingsOf({ values: {}, env }).region
    expect(region({ AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-1' })).toBe('eu-west-1')
    expect(region({ AWS_REGION: '' })).toBe('us-east-1')
  })

  test('several can be given, each only once, whichever of its names is used', () => {
    expect(faultsOfRegion(REGIONS, ['us-east', 'us-west-2b'])).toEqual([])
    const twice = faultsOfRegion(REGIONS, 'us-east,us-west-2,us-east-1')
    expect(twice).toEqual([expect.objectContaining({ message: '"us-east" and "us-east-1" are both in us-east-1' })])
  })
})

describe('sizes', () => {
  const SIZES: readonly (readonly [request: SizeRequest, cpu: number, memoryGiB: number, arch: string])[] = [
    [{}, 8, 32, 'x86_64'],
    [{ machine: 's' }, 1, 1, 'x86_64'],
    [{ machine: 'm' }, 8, 32, 'x86_64'],
    [{ machine: 'l' }, 32, 128, 'x86_64'],
    [{ machine: 'xl' }, 64, 256, 'x86_64'],
    [{ machine: 'm+arm' }, 8, 32, 'arm64'],
    [{ cpu: 4, memoryBytes: 30 * GB }, 4, 28, 'x86_64'],
    [{ machine: 'm', memoryBytes: 60 * GB }, 8, 56, 'x86_64'],
  ]
  test.each(SIZES)('%j has at least the requested resources, and no type twice as large', (request, cpu, memoryGiB, arch) => {
    const choice = typesOf(request)
    const types = (choice?.types ?? []).map(facts)
    expect(types.length).toBeGreaterThan(2)
    for (const type of types) {
      expect(type).toMatchObject({ arch })
      expect(type?.gpu).toBeUndefined()
      expect(type?.cpu).toBeGreaterThanOrEqual(cpu)
      expect(type?.memoryGiB).toBeGreaterThanOrEqual(memoryGiB)
      expect((type?.cpu ?? 0) + (type?.memoryGiB ?? 0) / 4).toBeLessThanOrEqual(4 * (cpu + memoryGiB / 4))
    }
  })

  test.each([
    [{ machine: 'm' }, 'm6id.2xlarge'],
    [{ machine: 'm+arm' }, 'm8gd.2xlarge'],
    [{ machine: 'm+t4' }, 'g4dn.xlarge'],
    [{ machine: 'c6id.large' }, 'c6id.large'],
    // Only the account knows which local disks a type has.
    [{ machine: 'i7ie.large' }, 'i7ie.large'],
  ])('scratch: %j is %s first, and has local disks', (request, first) => {
    const types = typesOf({ ...request, scratch: true })?.types ?? []
    expect(types[0]).toBe(first)
    for (const type of types) expect(facts(type)?.local).not.toBe(false)
  })

  test.each([
    [{ machine: 'm7i.2xlarge' }, 'm7i.2xlarge of AWS has no local disk', 'these have: m6id.2xlarge,'],
    [{ machine: 'p3.2xlarge' }, 'p3.2xlarge of AWS has no local disk', 'g6.4xlarge'],
    [{ gpu: { kind: 'v100', count: 1 } }, 'no such machine type of AWS has local disks', 'g4dn.xlarge'],
  ])('scratch: %j has none, and others are named', (request, message, hint) => {
    expect(sizeFaults({ ...request, scratch: true })).toEqual([{ option: 'scratch', message, hint: expect.stringContaining(hint) }])
    expect(sizeFaults(request)).toEqual([])
  })

  test('local disks come only on request', () => {
    expect(typesOf({ machine: 'm' })?.types.filter((name) => facts(name)?.local)).toEqual([])
  })

  test('a newer type comes before an older one of the same size', () => {
    expect(typesOf({ machine: 'm' })?.types.slice(0, 3)).toEqual(['m7i.2xlarge', 'm7a.2xlarge', 'm6i.2xlarge'])
  })

  const GPUS: readonly (readonly [request: SizeRequest, kind: string, count: number, first: string])[] = [
    [{ machine: 'm+t4' }, 't4', 1, 'g4dn.xlarge'],
    [{ machine: 'l+t4' }, 't4', 4, 'g4dn.12xlarge'],
    [{ machine: 'xl+t4' }, 't4', 8, 'g4dn.metal'],
    [{ machine: 'm+v100' }, 'v100', 1, 'p3.2xlarge'],
    [{ machine: 'xl+v100' }, 'v100', 8, 'p3.16xlarge'],
    [{ gpu: { kind: 'nvidia-tesla-t4', count: 1 } }, 't4', 1, 'g4dn.xlarge'],
    [{ gpu: { kind: 'A10', count: 1 }, memoryBytes: 60 * GB }, 'a10g', 1, 'g5.4xlarge'],
    [{ gpu: { kind: 'a100', count: 8 } }, 'a100', 8, 'p4d.24xlarge'],
    [{ gpu: { kind: 'h100', count: 2 } }, 'h100', 8, 'p5.48xlarge'],
    [{ gpu: { kind: 'b200', count: 8 } }, 'b200', 8, 'p6-b200.48xlarge'],
    [{ machine: 'm+t4g' }, 't4g', 1, 'g5g.xlarge'],
    [{ machine: 'm+rtx-pro-6000' }, 'rtx-pro-6000', 1, 'g7e.2xlarge'],
  ]
  test.each(GPUS)('%j', (request, kind, count, first) => {
    const types = typesOf(request)?.types ?? []
    expect(types[0]).toBe(first)
    for (const type of types) expect(facts(type)?.gpu).toEqual({ kind, count })
  })

  test.each([1, 2, 4, 8])('%d GPUs of any kind are of a kind that the usual image has a driver for, and of no dear one', (count) => {
    const kinds = typesOf({ gpu: { count } })?.types.map((name) => facts(name)?.gpu?.kind)
    expect(kinds).not.toContain('v100')
    expect(kinds).not.toContain('rtx-pro-6000')
    expect(kinds?.length).toBeGreaterThan(0)
  })

  test('types of the vendor stay as they were written, new ones included', () => {
    expect(typesOf({ machine: 'c7g.xlarge' })).toEqual({ types: ['c7g.xlarge'], arch: 'arm64' })
    expect(typesOf({ machine: 'm7i.large, m6i.large' })).toEqual({ types: ['m7i.large', 'm6i.large'], arch: 'x86_64' })
    expect(typesOf({ machine: 'x9z-flex.32xlarge' })).toEqual({ types: ['x9z-flex.32xlarge'] })
  })

  const WRONG: readonly (readonly [request: SizeRequest, option: string, says: string])[] = [
    [{ machine: 'huge' }, 'machine', '"huge" is not a machine type of AWS'],
    [{ machine: 'm+k80' }, 'machine', 'no longer has machines with the GPU "k80"'],
    [{ gpu: { kind: 'k80', count: 1 } }, 'gpu', 'write t4 instead'],
    [{ gpu: { kind: 'tpu', count: 1 } }, 'gpu', 'allowed: v100, t4, a10g'],
    [{ gpu: { kind: 't4', count: 16 } }, 'gpu', 'ask for less'],
    [{ cpu: 1000 }, 'cpu', 'ask for less'],
    [{ machine: 'm7i.large,m7g.large' }, 'machine', 'mixes types of x86-64 and of arm64'],
  ]
  test.each(WRONG)('%j is one fault that says what to do', (request, option, says) => {
    expect(typesOf(request)).toBeUndefined()
    const faults = sizeFaults(request)
    expect(faults).toHaveLength(1)
    expect(faults[0]?.option).toBe(option)
    expect(`${faults[0]?.message} ${faults[0]?.hint}`).toContain(says)
  })
})

describe('images', () => {
  imagesOf({ imageQuery, imageFaults }, [
    ['ubuntu', 'x86_64', { parameter: '/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id' }],
    ['ubuntu-22.04', 'arm64', { parameter: '/aws/service/canonical/ubuntu/server/22.04/stable/current/arm64/hvm/ebs-gp2/ami-id' }],
    ['al2023', 'arm64', { parameter: '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-arm64' }],
    ['ami-0123456789abcdef0', 'x86_64', { id: 'ami-0123456789abcdef0' }],
    ['099720109477:x86_64:ubuntu/images/*24.04*', 'x86_64', { owner: '099720109477', arch: 'x86_64', name: 'ubuntu/images/*24.04*' }],
    ['ubuntu@self:amd64:my-image', 'x86_64', { owner: 'self', arch: 'x86_64', name: 'my-image' }],
  ])

  test.each([
    ['g5.xlarge', 'nvidia'],
    ['gr6.4xlarge', 'nvidia'],
    ['m7i.large, p6-b200.48xlarge', 'nvidia'],
    ['m+t4', 'nvidia'],
    ['g4ad.xlarge', 'ubuntu'],
    ['m7g.large', 'ubuntu'],
    ['m+arm', 'ubuntu'],
  ])('of %s it is %s, where none is named', (machine, image) => {
    expect(usualImage(typesOf({ machine })?.types ?? [])).toBe(image)
  })

  test('an invalid image, and one for another processor architecture', () => {
    expect(imageFaults('ubuntu:24.04', 'x86_64')).toEqual([expect.objectContaining({ option: 'image' })])
    expect(imageFaults('self:arm64:x', 'x86_64')[0]?.hint).toContain('+arm')
  })
})

describe('faults of a request', () => {
  const spec: Omit<MachineSpec, 'store' | 'agent'> = {
    size: {},
    spot: { want: 'never' },
    tags: tagsOf({ lifetime: { deadline: '2030-01-02T00:00:00.000Z', grace: 30, reserve: 60, retention: 604_800 } }),
  }

  test('none', () => expect(faultsOf(spec, undefined)).toEqual([]))

  test('a run that would outlive the objects of the bucket is refused; another storage allows it', () => {
    const long = { ...spec, tags: { ...spec.tags, lifetime: { ...spec.tags.lifetime, deadline: '2030-04-01T00:00:00.000Z' } } }
    expect(faultsOf(long, undefined)).toEqual([
      expect.objectContaining({ option: 'timeout', hint: expect.stringContaining('storage: s3:') }),
    ])
    expect(faultsOf(long, 's3://mine')).toEqual([])
  })

  test('storage that machines of AWS have no login for is refused before anything is made', () => {
    const hint = 'give a bucket of S3: s3://BUCKET/PREFIX'
    expect(faultsOf(spec, 'gs://mine')).toEqual([{ option: 'storage', message: '"gs://mine" cannot be reached by machines of AWS', hint }])
  })

  test('a GPU that the usual image has no driver for needs another image', () => {
    const image = [expect.objectContaining({ option: 'image', hint: expect.stringContaining('580') })]
    for (const size of [{ machine: 'm+v100' }, { machine: 'p3dn.24xlarge' }, { gpu: { kind: 'v100', count: 1 } }]) {
      expect(faultsOf({ ...spec, size }, undefined)).toEqual(image)
      expect(faultsOf({ ...spec, size, image: 'nvidia' }, undefined)).toEqual(image)
      expect(faultsOf({ ...spec, size, image: 'ami-0123456789abcdef0' }, undefined)).toEqual([])
    }
    expect(faultsOf({ ...spec, size: { machine: 'm+t4' } }, undefined)).toEqual([])
    for (const machine of ['g6f.large', 'gr6f.4xlarge'])
      expect(faultsOf({ ...spec, size: { machine } }, undefined)).toEqual([
        expect.objectContaining({ hint: expect.stringContaining('GRID') }),
      ])
  })

  test('an identity is an instance profile', () => {
    const arn = 'arn:aws:iam::123456789012:instance-profile/team/x'
    expect(faultsOf({ ...spec, permissionSet: arn }, undefined)).toEqual([])
    const role = 'arn:aws:iam::123456789012:role/x'
    expect(faultsOf({ ...spec, permissionSet: role }, undefined)).toEqual([expect.objectContaining({ option: 'permission-set' })])
  })
})
