/** What Google tells of the machines of a group. */
import { describe, expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { instancesOf, Watch } from '../../../src/clouds/gcp/observe.ts'
import { fakeClock } from '../../lib/fake-clock.ts'

const NAMES = ['tpi-x', 'tpi-x-on-demand'] as const

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

test('if many machines vanish at once, no question about their ends is too long for a URL', async () => {
  const ids = Array.from({ length: 250 }, (_, at) => `1234567890123456${at + 100}`)
  let present = ids
  const asked: string[] = []
  const managed = (id: string) => ({
    id,
    instance: `zones/us-central1-a/instances/m${id}`,
    instanceStatus: 'RUNNING',
    currentAction: 'NONE',
  })
  const unless = async (_reasons: RegExp, name: string): Promise<unknown> => {
    if (name.endsWith('.get')) return { targetSize: 250 }
    return name.endsWith('.listErrors') ? {} : { managedInstances: present.map(managed) }
  }
  const call = async (name: string, _tried: string, { query }: Ask): Promise<unknown> => {
    if (!name.startsWith('compute:globalOperations')) return {}
    asked.push(String(query?.['filter']))
    const operations = ids.map((targetId) => ({ targetId, operationType: 'compute.instances.preempted' }))
    return { items: { 'zones/us-central1-a': { operations: operations.filter(({ targetId }) => asked.at(-1)?.includes(targetId)) } } }
  }
  const watch = new Watch({ unless, call } as unknown as Api, NAMES, 'abcdef0123', fakeClock())
  await watch.look()
  present = []
  const { machines } = await watch.look()
  expect(new Set(machines.map(({ reason }) => reason))).toEqual(new Set(['Google Cloud took the spot machine back']))
  expect(Math.max(...asked.map((filter) => encodeURIComponent(filter).length))).toBeLessThan(8000)
})

describe('a twin that is not found at the first look', () => {
  /** `found`: of the twin, at each look. */
  function project(found: boolean[], errors: readonly object[] = []) {
    const clock = fakeClock()
    let asked = 0
    const managed = { id: '7', instance: 'zones/us-central1-a/instances/m7', instanceStatus: 'RUNNING', currentAction: 'NONE' }
    const unless = async (_reasons: RegExp, name: string, _tried: string, { path }: Ask = {}): Promise<unknown> => {
      const isTwin = path?.['instanceGroupManager'] === NAMES[1]
      if (name.endsWith('.listErrors')) return { items: errors }
      if (!name.endsWith('.get')) return { managedInstances: isTwin ? [managed] : [] }
      if (!isTwin) return { targetSize: 1 }
      asked += 1
      return (found.length > 1 ? found.shift() : found[0]) ? { targetSize: 1 } : undefined
    }
    const api = { unless, call: async () => ({}) } as unknown as Api
    const watch = new Watch(api, NAMES, 'abcdef0123', clock)
    return { clock, watch, asked: () => asked }
  }

  test('may be too new for that: its machines are seen later', async () => {
    const { clock, watch } = project([false, false, true])
    const machines: number[] = []
    for (const _ of [1, 2, 3]) {
      machines.push((await watch.look()).machines.length)
      await clock.advance(5000)
    }
    expect(machines).toEqual([0, 0, 1])
  })

  test('is certain for the process that starts it: that spot machines have no quota ends nothing', async () => {
    const spot = { error: { code: 'QUOTA_EXCEEDED', message: "Quota 'PREEMPTIBLE_CPUS' exceeded. Limit: 0.0 in region us-west1." } }
    const kinds: string[][] = []
    for (const isStarter of [false, true]) {
      const { watch } = project([false], [{ ...spot, timestamp: new Date().toISOString() }])
      if (isStarter) watch.expectsTwin()
      kinds.push((await watch.look()).events.map(({ kind }) => kind))
    }
    expect(kinds).toEqual([['quota'], ['capacity']])
  })

  test('does not exist if that lasts, and is not looked for any more', async () => {
    const { clock, watch, asked } = project([false])
    for (const _ of [1, 2, 3]) {
      await watch.look()
      await clock.advance(15_000)
    }
    const then = asked()
    await watch.look()
    expect([then, asked()]).toEqual([3, 3])
  })
})
