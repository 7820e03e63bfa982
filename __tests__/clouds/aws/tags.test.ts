/** Names and tags of resources: within the vendor's limits, and enough to understand a deployment by its group alone. */
import { describe, expect, test } from '@jest/globals'
import { groupName, roleName, TAG } from '../../../src/clouds/aws/names.ts'
import { groupTags, plainTags, tagFaults, tagsOf } from '../../../src/clouds/aws/tags.ts'
import { factTags } from '../../../src/clouds/vm/facts.ts'
import type { DeploymentTags } from '../../../src/core/cloud.ts'
import { describeTags, many, ONE_LINE, room } from '../../conformance/tags.ts'
import { ofVersion } from '../../setup/tags.ts'

const tags: DeploymentTags = {
  id: `tpi-${'a'.repeat(40)}-0123456789`,
  name: 'a'.repeat(40),
  incarnation: 'abcdef0123',
  mode: 'task',
  createdAt: '2026-01-01T00:00:00.000Z',
  origin: {
    repository: 'github.com/octo/repo',
    commit: 'c0ffee'.repeat(6),
    runUrl: `https://github.com/${'x'.repeat(120)}/actions/runs/1`,
  },
  count: 3,
  lifetime: { deadline: '2026-01-02T00:00:00.000Z', grace: 30, reserve: 60, retention: 604_800 },
  store: { url: 's3://tpi-123456789012-us-east-1', settings: { region: 'us-east-1' } },
  user: { team: 'α "quoted" ✓', empty: '' },
}

const pairs = (of: DeploymentTags): Record<string, string> => ({ ...plainTags(of), ...factTags(of, TAG) })

describe('names', () => {
  test('contain id and incarnation, and fit', () => {
    expect(groupName(tags)).toBe(`${tags.id}-abcdef0123`)
    expect(groupName(tags).length).toBeLessThanOrEqual(128)
    expect(roleName(tags)).toHaveLength(64)
    expect(roleName(tags)).toMatch(/^tpi-a+-0123456789-abcdef0123$/)
    expect(roleName({ id: 'tpi-x-0123456789', incarnation: 'abcdef0123' })).toBe('tpi-x-0123456789-abcdef0123')
  })
})

describe('tags', () => {
  test('come back as they were, whatever is in them', () => {
    expect(tagsOf(pairs(tags))).toEqual(tags)
    expect(groupTags('g', tags).map(({ ResourceId, PropagateAtLaunch }) => [ResourceId, PropagateAtLaunch])).toContainEqual(['g', false])
  })

  test('each fits into one of the vendor’s tags, and they are few', () => {
    const all = Object.entries(pairs(tags))
    expect(all.length).toBeLessThanOrEqual(50)
    for (const [key, value] of all) expect([key.length <= 128, value.length <= 256]).toEqual([true, true])
  })

  test('a credential of the store is never among them', () => {
    const leaky = { ...tags, store: { ...tags.store, credentials: { secretAccessKey: 'hunter2' } } }
    expect(JSON.stringify(tagsOf(pairs(leaky)))).not.toContain('hunter2')
  })

  test('those of another version of tpi are told', () => {
    const told: unknown[] = []
    expect(tagsOf(pairs(ofVersion(1, tags)), (id, why) => told.push(id, why))).toBeUndefined()
    expect(told).toEqual([tags.id, expect.stringMatching(/^it was written by an older version of tpi .*: use the version that wrote it$/)])
  })

  test('edited ones are rejected: another id, a missing piece, a bomb', () => {
    const all = pairs(tags)
    expect(tagsOf({ ...all, 'tpi:id': 'tpi-other-0123456789' })).toBeUndefined()
    expect(tagsOf({ ...all, 'tpi:facts-0': 'AAAA' })).toBeUndefined()
    expect(tagsOf({ Name: 'x' })).toBeUndefined()
  })

  test('of the user: refused if reserved for AWS or tpi, too long, or too many', () => {
    expect(tagFaults(tags)).toEqual([])
    const wrong = { 'aws:x': '1', 'tpi:id': '2', ['k'.repeat(129)]: '3', long: 'v'.repeat(257) }
    expect(tagFaults({ ...tags, user: wrong })).toHaveLength(4)
    const many = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`k${at}`, 'v']))
    expect(tagFaults({ ...tags, user: many })).toEqual([
      expect.objectContaining({ option: 'tags', message: expect.stringContaining('45') }),
    ])
  })
})

/** It leaves two more tags free. */
const most = room((of) => 2 + Object.keys(pairs(of)).length)

describeTags('aws', tagFaults, [
  ['a name', { ['k'.repeat(128)]: 'v' }, { ['k'.repeat(129)]: 'v' }, '128 characters'],
  ['a value', many(1, 256), many(1, 257), 'a value has at most 256'],
  ['how many', many(most), many(most + 1), `${most + 1} are more than AWS takes`],
  ['reserved', { 'my:aws': 'v' }, { 'AWS:x': 'v' }, 'reserved for AWS'],
  ONE_LINE,
])
