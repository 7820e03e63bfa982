/** The user's tags at the edge of what each cloud takes: the last that fits is fine, the next one is one clear error. */
import { describe, expect, test } from '@jest/globals'
import { TAG } from '../../src/clouds/aws/names.ts'
import { tagFaults as aws } from '../../src/clouds/aws/tags.ts'
import { tagFaults as gcp } from '../../src/clouds/gcp/tags.ts'
import { tagFaults as k8s } from '../../src/clouds/k8s/tags.ts'
import { factTags } from '../../src/clouds/vm/facts.ts'
import type { DeploymentTags } from '../../src/core/cloud.ts'
import type { Fault } from '../../src/core/errors.ts'

type Pairs = Readonly<Record<string, string>>

const tagged = (user: Pairs): DeploymentTags => ({
  id: 'tpi-a-0123456789',
  name: 'a',
  incarnation: '0123456789',
  mode: 'task',
  createdAt: '2030-01-01T00:00:00.000Z',
  origin: { key: 'root@vm', actor: 'root@vm' } as DeploymentTags['origin'],
  count: 1,
  lifetime: {
    timeout: 60,
    grace: 1,
    reserve: 1,
    retention: 60,
    deadline: '2030-01-01T00:01:00.000Z',
  } as unknown as DeploymentTags['lifetime'],
  store: { url: 's3://bucket/pre' },
  user,
})
const many = (count: number): Pairs => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']))
/** Tags beside those that tell all of the deployment, which the user's own make longer. */
const room = (): number => {
  let count = 0
  while (count + 1 + 8 + Object.keys(factTags(tagged(many(count + 1)), TAG)).length <= 50) count += 1
  return count
}

/** The last that fits, the first that does not, and what the error names. */
const EDGES: readonly (readonly [string, (tags: DeploymentTags) => Fault[], Pairs, Pairs, string])[] = [
  ['AWS: a name', aws, { ['k'.repeat(128)]: 'v' }, { ['k'.repeat(129)]: 'v' }, '128 characters'],
  ['AWS: a value', aws, { k: 'v'.repeat(256) }, { k: 'v'.repeat(257) }, '256'],
  ['AWS: how many', aws, many(room()), many(room() + 1), `${room() + 1} are more than AWS takes`],
  ['AWS: reserved', aws, { 'my:aws': 'v' }, { 'AWS:x': 'v' }, 'reserved for AWS'],
  ['AWS: no name', aws, { k: '' }, { '': 'v' }, 'NAME=VALUE'],
  ['Google Cloud: how many', gcp, many(60), many(61), 'at most 60'],
  ['Google Cloud: reserved', gcp, { 'my-tpi': 'v' }, { 'tpi-id': 'v' }, 'reserved for Google Cloud'],
  ['Google Cloud: all together', gcp, { k: 'v'.repeat(65_536) }, { k: 'v'.repeat(200_001) }, 'longer than Google Cloud allows'],
  ['Kubernetes: a name', k8s, { ['k'.repeat(63)]: 'v' }, { ['k'.repeat(64)]: 'v' }, 'at most 63'],
  ['Kubernetes: reserved', k8s, { 'example.com/id': 'v' }, { 'tpi.iterative.ai/id': 'v' }, 'reserved for Kubernetes'],
  ['Kubernetes: all together', k8s, { k: 'v '.repeat(60_000) }, { k: 'v '.repeat(131_072) }, 'longer than Kubernetes allows'],
]

describe('tags of the user', () => {
  test.each(EDGES)('%s', (_name, faults, fits, exceeds, says) => {
    expect(faults(tagged(fits))).toEqual([])
    const [fault, ...more] = faults(tagged(exceeds))
    expect(more).toEqual([])
    expect(fault?.option).toBe('tags')
    expect(`${fault?.message} (${fault?.hint})`).toContain(says)
  })
})
