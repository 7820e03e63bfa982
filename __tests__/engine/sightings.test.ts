import { expect, test } from '@jest/globals'
import type { Cloud, DeploymentTags, Found } from '../../src/core/cloud.ts'
import { sightings } from '../../src/engine/find.ts'

const found = (id: string, incarnation: string, createdAt: string): Found => ({
  tags: { id, incarnation, createdAt, store: { url: 's3://bucket' } } as DeploymentTags,
  phase: 'up',
})
const cloud = (...list: Found[]): Cloud => ({ list: async () => list }) as unknown as Cloud

test('an account that is looked at twice shows each deployment once, with its other incarnations', async () => {
  const [a, b, c] = [found('one', 'a', '2026-01-01'), found('one', 'b', '2026-01-02'), found('two', 'c', '2026-01-03')]
  const all = await sightings([
    { id: 'x', cloud: cloud(a, b) },
    { id: 'x', cloud: cloud(b, a, c) },
    { id: 'y', cloud: cloud(c) },
  ])
  expect(all.map(({ id, found: { tags }, others = [] }) => [id, tags.incarnation, others.length])).toEqual([
    ['x', 'b', 1],
    ['x', 'c', 0],
    ['y', 'c', 0],
  ])
})

test('a cloud or a region that cannot be looked at is reported, and does not hide the others', async () => {
  const [a, b] = [found('one', 'a', '2026-01-01'), found('two', 'b', '2026-01-02')]
  const away = new Error('away')
  const failing = {
    list: async () => {
      throw away
    },
  } as unknown as Cloud
  const partly = {
    list: async (lost?: (where: string, error: unknown) => void) => {
      lost?.('west-1', away)
      return [b]
    },
  } as unknown as Cloud
  const clouds = [
    { id: 'x', cloud: failing },
    { id: 'y', cloud: cloud(a) },
    { id: 'z', cloud: partly },
  ]
  const lost: unknown[] = []
  const all = await sightings(clouds, (...what) => void lost.push(what))
  expect(all.map(({ id }) => id)).toEqual(['y', 'z'])
  expect(lost).toEqual([
    ['z', away, 'west-1'],
    ['x', away],
  ])
  await expect(sightings(clouds)).rejects.toBe(away)
})
