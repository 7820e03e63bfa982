/** The bucket of a project and region, which all first runs make at once. */
import { expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { bucketResource } from '../../../src/clouds/gcp/store.ts'
import { EXPIRY } from '../../../src/core/bucket-expiry.ts'
import { InputError } from '../../../src/core/errors.ts'

const OURS = '123456789012'

/** `there`: the numbers of the projects to which looks find the bucket to belong, one after the other; the last counts from then on. */
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
  return { api: { unless, about, region: 'us-central1', project: async () => 'lab' } as unknown as Api, inserted }
}

const ensured = async (api: Api): Promise<unknown> => bucketResource(api, 'tpi-lab-us-central1', new AbortController().signal).ensure()

test('nothing in it is for the public, and what is forgotten in it goes by itself; all of that by the call that makes it', async () => {
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

test('one that is there is used only where it is of this project', async () => {
  const ours = project([OURS])
  expect(await ensured(ours.api)).toBe('found')
  expect(ours.inserted).toEqual([])
  await expect(ensured(project(['999999999999']).api)).rejects.toThrow(InputError)
})

test('where another first run was faster it is used; where that was somebody else, it is not', async () => {
  expect(await ensured(project([undefined, OURS], null).api)).toBe('found')
  await expect(ensured(project([undefined, '999999999999'], null).api)).rejects.toThrow('is of another project')
})
