/** The bucket of a project and region, which all first runs try to make at the same time. */
import { expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { bucketResource, storeAccess } from '../../../src/clouds/gcp/store.ts'
import { EXPIRY } from '../../../src/core/bucket-expiry.ts'
import { InputError } from '../../../src/core/errors.ts'

const OURS = '123456789012'

/** `there`: for each look, the number of the project that owns the bucket; the last one repeats. */
function project(there: readonly (string | undefined)[], made: unknown = {}): { readonly api: Api; readonly inserted: readonly Ask[] } {
  const looks = [...there]
  const inserted: Ask[] = []
  const unless = async (_: RegExp, call: string, __: string, ask: Ask): Promise<unknown> => {
    if (call === 'storage:buckets.insert') {
      inserted.push(ask)
      return made
    }
    const projectNumber = looks.length > 1 ? looks.shift() : looks[0]
    return projectNumber && { projectNumber }
  }
  const about = async (): Promise<object> => ({ defaultServiceAccount: `${OURS}-compute@developer.gserviceaccount.com` })
  const source = (): object => ({ get: async () => ({ token: 'lent' }) })
  const api = { unless, about, source, elsewhere: () => undefined, region: 'us-central1', project: async () => 'lab' }
  return { api: api as unknown as Api, inserted }
}

const ensured = async (api: Api): Promise<unknown> => bucketResource(api, 'tpi-lab-us-central1', new AbortController().signal).ensure()

test('it is closed to the public and expires old objects, both set by the call that makes it', async () => {
  const { api, inserted } = project([undefined])
  expect(await ensured(api)).toBe('created')
  expect(inserted).toHaveLength(1)
  expect(inserted[0]).toMatchObject({
    query: { project: 'lab' },
    body: {
      location: 'US-CENTRAL1',
      iamConfiguration: { uniformBucketLevelAccess: { enabled: true }, publicAccessPrevention: 'enforced' },
      softDeletePolicy: { retentionDurationSeconds: '0' },
      lifecycle: {
        rule: [
          { action: { type: 'Delete' }, condition: { age: EXPIRY, matchesPrefix: ['tpi-'] } },
          { action: { type: 'AbortIncompleteMultipartUpload' }, condition: { age: 1 } },
        ],
      },
    },
  })
})

test('an existing one is used only if it belongs to this project', async () => {
  const ours = project([OURS])
  expect(await ensured(ours.api)).toBe('found')
  expect(ours.inserted).toEqual([])
  await expect(ensured(project(['999999999999']).api)).rejects.toThrow(InputError)
})

test('nothing is read from, or written to, a bucket of another project that has the name of this one’s', async () => {
  const lent = async (...there: readonly (string | undefined)[]) => (await storeAccess(project(there).api, {})).source?.get()
  expect(await lent(OURS)).toEqual({ token: 'lent' })
  expect(await lent(undefined)).toEqual({ token: 'lent' })
  await expect(lent('999999999999')).rejects.toThrow('is of another project')
})

test('the bucket of a faster first run is used; that of another project is not', async () => {
  expect(await ensured(project([undefined, OURS], null).api)).toBe('found')
  await expect(ensured(project([undefined, '999999999999'], null).api)).rejects.toThrow('is of another project')
})
