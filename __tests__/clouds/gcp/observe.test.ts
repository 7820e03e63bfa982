/** What Google tells of the machines of a group. */
import { expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { instancesOf } from '../../../src/clouds/gcp/observe.ts'

/** https://cloud.google.com/compute/docs/reference/rest/v1/instances/aggregatedList: `nextPageToken`. */
test('machines of all pages are known, not only those of the first', async () => {
  const pages: Readonly<Record<string, object>> = {
    '': { items: { 'zones/us-central1-a': { instances: [{ id: '1' }] } }, nextPageToken: 'more' },
    more: { items: { 'zones/us-central1-b': { instances: [{ id: '2' }] }, 'zones/us-central1-c': {} } },
  }
  const call = async (_name: string, _tried: string, { query }: Ask): Promise<unknown> => pages[String(query?.['pageToken'] ?? '')]
  const found = await instancesOf({ call } as unknown as Api, 'tpi-x', 'abcdef0123')
  expect([...found.keys()]).toEqual(['1', '2'])
})
