/** A group is looked at in its region, whenever the region becomes known. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, jest, test } from '@jest/globals'
import { Api } from '../../../src/clouds/gcp/api.ts'
import { open } from '../../../src/clouds/gcp/index.ts'
import { FACTS, groupName } from '../../../src/clouds/gcp/names.ts'
import { placementOf } from '../../../src/clouds/gcp/placement.ts'
import { labels } from '../../../src/clouds/gcp/tags.ts'
import type { CloudContext, DeploymentTags } from '../../../src/core/cloud.ts'
import { AuthError } from '../../../src/core/errors.ts'
import { tagsText } from '../../../src/core/tags.ts'
import { systemClock } from '../../../src/lib/clock.ts'
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

test('a template list that lacks a region says so by a warning; a zone that does not answer matters to nobody: groups are regional', async () => {
  const warning = { code: 'UNREACHABLE' }
  const answers: Record<string, object> = {
    'compute:instanceTemplates.aggregatedList': { items: { 'regions/europe-west4': { warning }, 'regions/us-central1': {} } },
    'compute:instanceGroupManagers.aggregatedList': {
      items: { 'zones/us-central1-a': { warning } },
      unreachables: ['zones/us-central1-a'],
    },
  }
  jest.spyOn(Api.prototype, 'call').mockImplementation(async (call) => answers[call])
  const cloud = await open({ env: {}, values: { region: 'us-central1' } } as unknown as CloudContext)
  const lost: string[] = []
  expect(await cloud.list((where) => lost.push(where))).toEqual([])
  expect(lost).toEqual(['europe-west4'])
})

// https://cloud.google.com/compute/docs/reference/rest/v1/instances/aggregatedList : "To prevent failure, Google recommends …"
test('a list of all zones asks for what can be had, so one zone that does not answer does not fail it', async () => {
  const asked: string[] = []
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '')
    answer.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const env = { CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: `http://127.0.0.1:${port}/` }
  const api = new Api({ env, clock: systemClock }, { region: 'us-central1', project: 'my-project' })
  jest.spyOn(api, 'source').mockReturnValue({ get: async () => ({ token: 't' }), refused: () => false })
  await api.call('compute:instances.aggregatedList', 'look for machines', { query: { maxResults: 500 } })
  await api.call('compute:projects.get', 'look at the project')
  server.close()
  expect(asked).toEqual(['/projects/my-project/aggregated/instances?maxResults=500&returnPartialSuccess=true', '/projects/my-project'])
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

test('if the zones that may have a type do not answer, that is no mistake of the user', async () => {
  const items = {
    'zones/us-central1-a': { warning: { code: 'UNREACHABLE' } },
    'zones/europe-west4-a': { machineTypes: [{ name: 'n2-standard-2' }] },
  }
  jest.spyOn(Api.prototype, 'call').mockImplementation(async (call) => (call === 'compute:machineTypes.aggregatedList' ? { items } : {}))
  jest.spyOn(Api.prototype, 'unless').mockResolvedValue({ name: 'image' })
  const settings = { region: 'us-central1', project: 'my-project' }
  const api = new Api({ env: {}, clock: systemClock }, settings)
  const placed = placementOf(api, settings as Parameters<typeof placementOf>[1], {
    size: { machine: 'n2-standard-2' },
    spot: { want: 'never' },
  })
  await expect(placed).rejects.toMatchObject({ message: 'gcp: us-central1-a does not answer', retryable: true })
})
