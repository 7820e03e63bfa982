/** A group is looked at in its region, whenever that became known. */
import { afterEach, expect, jest, test } from '@jest/globals'
import { Api } from '../../../src/clouds/gcp/api.ts'
import { open } from '../../../src/clouds/gcp/index.ts'
import type { CloudContext } from '../../../src/core/cloud.ts'
import { AuthError } from '../../../src/core/errors.ts'

afterEach(() => void jest.restoreAllMocks())

test('what was looked for before anybody knew where it is, is looked at there once that is known', async () => {
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

test('buckets of other regions keep what was started there; a region that is named is the only one, and so it is where nobody may ask', async () => {
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
  // The last one is called like ours, and is somewhere else.
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
