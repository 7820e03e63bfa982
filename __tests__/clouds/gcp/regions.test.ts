/** A group is looked at in its region, whenever the region becomes known. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, jest, test } from '@jest/globals'
import { Api } from '../../../src/clouds/gcp/api.ts'
import { open } from '../../../src/clouds/gcp/index.ts'
import { FACTS, groupName } from '../../../src/clouds/gcp/names.ts'
import { labels } from '../../../src/clouds/gcp/tags.ts'
import type { CloudContext, DeploymentTags } from '../../../src/core/cloud.ts'
import { AuthError } from '../../../src/core/errors.ts'
import { tagsText } from '../../../src/core/tags.ts'
import { tagsOf } from '../../setup/tags.ts'

afterEach(() => void jest.restoreAllMocks())

test('a group that was looked for before its region was known is read there once it is known', async () => {
  const asked = new Set<string>()
  async function answer(this: Api): Promise<object> {
    asked.add(this.region)
    return {}
  }
  async function none(this: Api): Promise<undefined> {
    asked.add(this.region)
  }
  jest.spyOn(Api.prototype, 'call').mockImplementation(answer)
  jest.spyOn(Api.prototype, 'unless').mockImplementation(none)
  const cloud = await open({ env: {}, values: { region: 'us-central1' } } as unknown as CloudContext)
  const of = { id: 'tpi-fit-0123456789', incarnation: 'abcdef0123' }
  expect((await cloud.observe(of)).phase).toBe('absent')
  expect([...asked]).toEqual(['us-central1'])
  asked.clear()
  await cloud.observe({ ...of, region: 'europe-west4' })
  expect([...asked]).toEqual(['europe-west4'])
})

test('machines are priced in the region of their group', async () => {
  const asked: (string | undefined)[] = []
  const home = await mkdtemp(join(tmpdir(), 'tpi-prices-'))
  async function answer(this: Api, call: string): Promise<object> {
    if (call.startsWith('cloudbilling')) asked.push(this.region)
    return {}
  }
  jest.spyOn(Api.prototype, 'call').mockImplementation(answer)
  jest.spyOn(Api.prototype, 'unless').mockResolvedValue(undefined)
  const clock = { date: () => new Date() }
  const cloud = await open({ env: {}, values: { region: 'us-central1' }, home, clock } as unknown as CloudContext)
  const of = { id: 'tpi-fit-0123456789', incarnation: 'abcdef0123' }
  expect(await cloud.price?.({ ...of, region: 'europe-west4' })).toBeUndefined()
  expect(await cloud.price?.(of)).toBeUndefined()
  await rm(home, { recursive: true })
  expect(asked).toEqual(['europe-west4', 'us-central1'])
})

test('a region that does not answer is reported and does not hide the others; without a listener it is an error', async () => {
  const tagsIn = (region: string, count: number): DeploymentTags =>
    tagsOf({ id: `tpi-fit-012345678${count}`, name: 'fit', count, store: { url: `gs://tpi-${region}` } })
  const here = ['europe-west4', 'us-central1'].map((region, at) => [region, tagsIn(region, at + 1)] as const)
  const templates = here.map(([region, tags]) => {
    const metadata = { items: [{ key: FACTS, value: tagsText(tags) }] }
    return [`regions/${region}`, { instanceTemplates: [{ name: groupName(tags), properties: { labels: labels(tags), metadata } }] }]
  })
  const groups = here.map(([region, tags]) => [
    `regions/${region}`,
    { instanceGroupManagers: [{ name: groupName(tags), targetSize: tags.count }] },
  ])
  const answers: Record<string, object> = {
    'compute:instanceTemplates.aggregatedList': { items: Object.fromEntries(templates) },
    'compute:instanceGroupManagers.aggregatedList': {
      items: Object.fromEntries(groups.slice(1)),
      unreachables: ['projects/my-project/regions/europe-west4'],
    },
  }
  jest.spyOn(Api.prototype, 'call').mockImplementation(async (call) => answers[call])
  const cloud = await open({ env: {}, values: { region: 'us-central1' } } as unknown as CloudContext)
  const lost: unknown[] = []
  const found = await cloud.list((where, error) => lost.push([where, String(error)]))
  // What runs there must not be taken for stopped.
  expect(found).toEqual([{ tags: here[1]![1], phase: 'up' }])
  expect(lost).toEqual([['europe-west4', expect.stringContaining('europe-west4 does not answer')]])
  await expect(cloud.list()).rejects.toThrow('europe-west4 does not answer')
})

test('buckets of other regions are searched; with a named region, or without the right to list buckets, only that one', async () => {
  const call = jest.spyOn(Api.prototype, 'call')
  const warned: string[] = []
  const log = { warn: (line: string) => warned.push(line) }
  const google = async (values: Record<string, unknown> = {}) =>
    open({
      env: { CLOUDSDK_COMPUTE_REGION: 'us-central1' },
      values: { 'gcp-project': 'my-project', ...values },
      log,
    } as unknown as CloudContext)
  const bucket = (region: string, place = region) => ({ name: `tpi-my-project-${region}`, location: place.toUpperCase() })
  // The last bucket has a name like ours, but is somewhere else.
  const items = [bucket('us-central1'), bucket('europe-west4'), bucket('models', 'europe-west4')]
  call.mockResolvedValue({ items })
  const lost = (where: string): never => {
    throw new Error(where)
  }
  expect((await (await google()).otherStores?.(lost))?.map(({ url }) => url)).toEqual(['gs://tpi-my-project-europe-west4'])
  expect(await (await google({ region: 'us-central1' })).otherStores?.(lost)).toEqual([])
  call.mockRejectedValue(new AuthError('gcp: could not look for buckets: storage.buckets.list is missing'))
  expect(await (await google()).otherStores?.(lost)).toEqual([])
  expect(warned).toEqual([expect.stringContaining('storage.buckets.list is missing')])
})
