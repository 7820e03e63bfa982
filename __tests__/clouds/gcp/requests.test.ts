/** What a user writes → machine types, images and regions of Google Cloud, or what is wrong with it and what to write instead. */
import { describe, expect, test } from '@jest/globals'
import { requestFaults } from '../../../src/clouds/gcp/faults.ts'
import { imageFaults, imageQuery } from '../../../src/clouds/gcp/image-name.ts'
import { CATALOGUE } from '../../../src/clouds/gcp/machine-types.ts'
import { accountOf, bucketName, groupName } from '../../../src/clouds/gcp/names.ts'
import { REGIONS } from '../../../src/clouds/gcp/settings.ts'
import { sizeFaults, typesOf } from '../../../src/clouds/gcp/sizes.ts'
import { imagesOf, placesOf, usualImagesOf } from '../../conformance/requests.ts'

describe('sizes', () => {
  test.each([
    ['s', 1, 1],
    ['m', 8, 32],
    ['l', 32, 128],
    ['xl', 64, 256],
    ['m+arm', 8, 32],
  ])('%s means the same as on every cloud, in several types with the same kind of disk', (machine, cpu, memoryGiB) => {
    const choice = typesOf({ machine })
    const found = CATALOGUE.filter(({ name, added }) => !added && choice?.types.includes(name))
    expect(found.length).toBeGreaterThan(machine === 'm+arm' ? 0 : 1)
    for (const type of found) {
      expect(type.cpu).toBeGreaterThanOrEqual(cpu)
      expect(type.memoryGiB).toBeGreaterThanOrEqual(memoryGiB)
      expect(type.disk).toBe(choice?.disk)
      expect(type.arch).toBe(machine.endsWith('arm') ? 'arm64' : 'x86_64')
    }
  })

  test.each([
    ['m', 1],
    ['l', 2],
    ['m+t4', 1],
    ['l+l4', 4],
    ['n2-standard-80', 8],
    ['m+rtx-pro-6000', 4],
    ['xl+rtx-pro-6000', 32],
    ['g4-standard-12', 1],
    ['m3-ultramem-32', 4],
    ['m3-ultramem-128', 8],
    ['a2-ultragpu-1g', undefined],
    ['a3-edgegpu-8g', undefined],
    ['a4x-highgpu-4g', undefined],
    ['a4x-maxgpu-4g-metal', undefined],
    ['a5x-highgpu-4g-metal', undefined],
    ['c3-standard-8-lssd', undefined],
    ['c4d-highmem-8-lssd', undefined],
    ['c4-standard-288-lssd-metal', undefined],
    ['h4d-highmem-192-lssd', undefined],
    ['z3-highmem-14-standardlssd', undefined],
    ['z4d-highmem-8-highlssd', undefined],
  ])('scratch: each machine of %s gets the required number of local disks: %s', (machine, ssds) => {
    const choice = typesOf({ machine, scratch: true })
    expect(choice?.types.length).toBeGreaterThan(0)
    expect(choice?.ssds).toBe(ssds)
    expect(typesOf({ machine })?.ssds).toBeUndefined()
  })

  test.each([
    ['e2-standard-8', 'e2-standard-8 of Google Cloud has no local disk'],
    ['m+arm', 'no such machine type of Google Cloud has local disks'],
  ])('scratch: %s has none', (machine, message) => {
    expect(sizeFaults({ machine, scratch: true })).toEqual([{ option: 'scratch', message, hint: expect.stringMatching(/^these have: \w/) }])
  })

  // https://docs.cloud.google.com/compute/docs/disks/local-ssd#choose_number_local_ssds
  test.each(['g4-standard-6', 'a3-ultragpu-8g-nolssd', 'a5x-highgpu-4g-metal-nolssd', 'h4d-standard-192', 'c4-standard-288-metal'])(
    'scratch: %s, which is not in the list, has no local disk',
    (machine) => {
      expect(typesOf({ machine, scratch: true })).toBeUndefined()
    },
  )

  test.each([
    ['c4n-standard-8', 'x86_64', 'hyperdisk-balanced'],
    ['n4d-standard-8', 'x86_64', 'hyperdisk-balanced'],
    ['z4d-highmem-8-highlssd', 'x86_64', 'hyperdisk-balanced'],
    ['m4-ultramem-56', 'x86_64', 'hyperdisk-balanced'],
    ['a5x-highgpu-4g-metal', 'arm64', 'hyperdisk-balanced'],
    ['c3-standard-192-metal', 'x86_64', 'hyperdisk-balanced'],
    ['z3-highmem-14-standardlssd', 'x86_64', 'hyperdisk-balanced'],
    ['a3-ultragpu-8g-nolssd', 'x86_64', 'hyperdisk-balanced'],
    ['a3-megagpu-8g', 'x86_64', 'pd-balanced'],
    ['m3-ultramem-32', 'x86_64', 'pd-balanced'],
    ['c2d-highcpu-8', 'x86_64', 'pd-balanced'],
    ['e2-standard-4', 'x86_64', 'pd-balanced'],
  ])('%s is of %s and boots from %s', (machine, arch, disk) => {
    expect(typesOf({ machine })).toMatchObject({ arch, disk })
  })

  // https://cloud.google.com/compute/docs/general-purpose-machines#n2-high-mem
  test('the largest N2 has less memory for each processor than the others', () => {
    const of = (type: string) => CATALOGUE.find(({ name }) => name === type)?.memoryGiB
    expect([of('n2-highmem-96'), of('n2-highmem-128')]).toEqual([768, 864])
  })

  test('without a GPU, the disk is the kind that most types support', () => {
    expect(typesOf({})).toMatchObject({
      disk: 'pd-balanced',
      types: expect.arrayContaining(['e2-standard-8', 'n2-standard-8', 'n2d-standard-8']),
    })
  })

  test.each([
    ['m+t4', 'n1-standard-4', { type: 'nvidia-tesla-t4', count: 1 }],
    ['l+v100', 'n1-standard-16', { type: 'nvidia-tesla-v100', count: 4 }],
    ['m+l4', 'g2-standard-4', undefined],
    ['m+a100', 'a2-highgpu-1g', undefined],
    ['xl+h100', 'a3-highgpu-8g', undefined],
  ])('%s has that GPU, attached or a part of the type', (machine, first, added) => {
    const choice = typesOf({ machine })
    expect(choice?.types[0]).toBe(first)
    expect(choice?.added).toEqual(added)
    expect(choice?.gpu?.count).toBeGreaterThan(0)
    if (added) expect(choice?.types).toEqual([first])
  })

  test('a GPU of any kind is always one that the usual image has a driver for', () => {
    expect(typesOf({ gpu: { count: 1 } })?.gpu?.kind).not.toMatch(/v100|p100|p4$/)
  })

  test('a GPU that the usual image has no driver for needs another image', () => {
    const faults = (machine: string, image?: string) =>
      requestFaults({ size: { machine }, spot: { want: 'never' }, ...(image !== undefined && { image }) })
    for (const machine of ['m+v100', 'm+p100', 'n1-standard-4+nvidia-tesla-p4*1']) {
      expect(faults(machine)).toEqual([expect.objectContaining({ option: 'image', hint: expect.stringContaining('580') })])
      expect(faults(machine, 'nvidia')).toEqual(faults(machine))
      expect(faults(machine, 'mine/with-driver')).toEqual([])
    }
    expect([...faults('m+t4'), ...faults('m+rtx-pro-6000'), ...faults('n2-standard-8')]).toEqual([])
  })

  test('named types keep their order, unknown ones too; also TPI’s notation for attached GPUs', () => {
    expect(typesOf({ machine: 'n2d-standard-8, n2-standard-8' })?.types).toEqual(['n2d-standard-8', 'n2-standard-8'])
    expect(typesOf({ machine: 'c4a-standard-8' })).toMatchObject({ arch: 'arm64', disk: 'hyperdisk-balanced' })
    expect(typesOf({ machine: 'n9-standard-8' })).toMatchObject({ types: ['n9-standard-8'], arch: 'x86_64' })
    expect(typesOf({ machine: 'n1-standard-4+nvidia-tesla-k80*2' })?.added).toEqual({ type: 'nvidia-tesla-k80', count: 2 })
  })

  test.each([
    [{ machine: 'm5.large' }, /"m5.large" is not a machine type of Google Cloud/],
    [{ machine: 'm+k80' }, /no longer has machines with the GPU "k80"/],
    [{ machine: 'm+gaudi' }, /no machines with the GPU "gaudi"/],
    [{ machine: 'n2-standard-8,t2a-standard-8' }, /mixes types/],
    [{ machine: 'n2-standard-8,n4-standard-8' }, /mixes types/],
    [{ machine: 'n1-standard-4+nvidia-tesla-t4*1, n1-standard-8+nvidia-tesla-t4*1' }, /added GPU is used alone/],
    [{ machine: 'n2-standard-8, n1-standard-8+nvidia-tesla-t4*1' }, /added GPU is used alone/],
    [{ cpu: 4000 }, /no machine type of Google Cloud has that many/],
  ])('%j is refused with what to write instead', (request, says) => {
    const [fault] = sizeFaults(request)
    expect(fault?.message).toMatch(says)
    expect(fault?.hint).toBeDefined()
  })
})

describe('images', () => {
  imagesOf({ imageQuery, imageFaults }, [
    ['ubuntu', 'x86_64', { project: 'ubuntu-os-cloud', family: true, name: 'ubuntu-2404-lts-amd64' }],
    ['ubuntu', 'arm64', { project: 'ubuntu-os-cloud', family: true, name: 'ubuntu-2404-lts-arm64' }],
    ['debian', 'x86_64', { project: 'debian-cloud', family: true, name: 'debian-13' }],
    // https://cloud.google.com/deep-learning-vm/docs/images
    ['nvidia', 'x86_64', { project: 'deeplearning-platform-release', family: true, name: 'common-cu129-ubuntu-2404-nvidia-580' }],
    ['projects/p-1/global/images/i', 'x86_64', { project: 'p-1', family: false, name: 'i' }],
    ['projects/p-1/global/images/family/f', 'x86_64', { project: 'p-1', family: true, name: 'f' }],
    ['user@ubuntu-os-cloud/ubuntu-2204-lts', 'x86_64', { project: 'ubuntu-os-cloud', family: undefined, name: 'ubuntu-2204-lts' }],
  ])
  usualImagesOf(imageFaults, 'projects/PROJECT/global/images')
})

describe('places and names', () => {
  placesOf(
    REGIONS,
    [
      ['us-west', { region: 'us-west1' }],
      ['europe-west4', { region: 'europe-west4' }],
      ['us-central1-b', { region: 'us-central1', zone: 'us-central1-b' }],
    ],
    ['us-east-1'],
  )

  test('names fit the vendor’s limits, and differ by id and incarnation', () => {
    const of = { id: `tpi-${'a'.repeat(40)}-0123456789`, incarnation: 'abcdef0123' }
    expect(groupName(of)).toHaveLength(58)
    expect(groupName(of)).toMatch(/^tpi-a+-0123456789-abcdef0123$/)
    expect(bucketName('example.com:my-project', 'us-west1')).toBe('tpi-example-com-my-project-us-west1')
    expect(accountOf('example.com:my-project')).toBe('tpi-machine@my-project.example.com.iam.gserviceaccount.com')
  })

  test('what Google Cloud cannot do is reported before anything is made, all at once', () => {
    const faults = requestFaults({ size: { machine: 'huge' }, region: 'mars', spot: { want: 'only', maxPrice: 1 }, permissionSet: 'admin' })
    expect(faults.map(({ option }) => option)).toEqual(['region', 'machine', 'max-price', 'permission-set'])
    expect(requestFaults({ size: {}, spot: { want: 'prefer' }, permissionSet: 'a@p.iam.gserviceaccount.com,scopes=storage-rw' })).toEqual(
      [],
    )
  })
})
