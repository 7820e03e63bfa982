/** The user's tags at the edge of what each cloud takes: the last that fits is fine and can be read back, the next one is one clear error. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { TAG as AWS } from '../../src/clouds/aws/names.ts'
import { plainTags } from '../../src/clouds/aws/tags.ts'
import { tagsFor as azureTags } from '../../src/clouds/az/tags.ts'
import { clouds } from '../../src/clouds/registry.ts'
import { factTags } from '../../src/clouds/vm/facts.ts'
import type { CloudContext, DeploymentTags } from '../../src/core/cloud.ts'
import type { Fault } from '../../src/core/errors.ts'
import { deploymentTags } from '../../src/core/tags.ts'
import { fakeClock } from '../lib/fake-clock.ts'

type Pairs = Readonly<Record<string, string>>

const tagged = (user: Pairs): DeploymentTags => ({
  id: 'tpi-a-0123456789',
  name: 'a',
  incarnation: '0123456789',
  mode: 'task',
  createdAt: '2030-01-01T00:00:00.000Z',
  origin: { user: 'root@vm' },
  count: 1,
  lifetime: { deadline: '2030-01-01T00:01:00.000Z', grace: 1, reserve: 1, retention: 60 },
  store: { url: 's3://bucket/pre' },
  user,
})
/** So many, of this many characters each. */
const many = (count: number, length = 1): Pairs =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v'.repeat(length)]))
/** Tags that fit beside ours, which the user's own make more. */
const room = (all: (tags: DeploymentTags) => number): number => {
  let count = 0
  while (all(tagged(many(count + 1))) <= 50) count += 1
  return count
}
/** Two more are left free there. */
const onAws = room((tags) => 2 + Object.keys({ ...plainTags(tags), ...factTags(tags, AWS) }).length)
/** And one here, for a set that has a twin. */
const onAzure = room((tags) => 1 + Object.keys(azureTags(tags)).length)

/** What it is about, the last that fits, the first that does not, and what the error says. */
type Edge = readonly [string, Pairs, Pairs, string]

const NO_NAME: Edge = ['no name', { k: '' }, { '': 'v' }, 'NAME=VALUE']
const ONE_LINE: Edge = ['a name of two lines', { 'a\u2028b': 'a\nb' }, { 'a\nb': 'v' }, 'not one line of text']
/** Where the cloud itself takes longer ones. */
const LONGEST: Edge = ['a value', many(1, 65_536), many(1, 65_537), 'a value has at most 65536']

const EDGES: Readonly<Record<string, readonly Edge[]>> = {
  local: [
    ['a name', { ['k'.repeat(65_536)]: 'v' }, { ['k'.repeat(65_537)]: 'v' }, 'a name has at most 65536 characters'],
    ['how many', many(1000), many(1001), 'at most 1000'],
    LONGEST,
    ONE_LINE,
    NO_NAME,
  ],
  k8s: [
    ['a name', { ['k'.repeat(63)]: 'v' }, { ['k'.repeat(64)]: 'v' }, 'at most 63'],
    ['reserved', { 'example.com/id': 'v' }, { 'tpi.iterative.ai/id': 'v' }, 'reserved for Kubernetes'],
    ['all together', many(2, 60_000), many(3, 60_000), 'longer than Kubernetes allows'],
    ['how many', many(1000), many(1001), 'at most 1000'],
    LONGEST,
    NO_NAME,
  ],
  aws: [
    ['a name', { ['k'.repeat(128)]: 'v' }, { ['k'.repeat(129)]: 'v' }, '128 characters'],
    ['a value', many(1, 256), many(1, 257), 'a value has at most 256'],
    ['how many', many(onAws), many(onAws + 1), `${onAws + 1} are more than AWS takes`],
    ['reserved', { 'my:aws': 'v' }, { 'AWS:x': 'v' }, 'reserved for AWS'],
    ONE_LINE,
    NO_NAME,
  ],
  gcp: [
    ['how many', many(60), many(61), 'at most 60'],
    ['reserved', { 'my-tpi': 'v' }, { 'tpi-id': 'v' }, 'reserved for Google Cloud'],
    ['all together', many(3, 60_000), many(4, 60_000), 'longer than Google Cloud allows'],
    LONGEST,
    ONE_LINE,
    NO_NAME,
  ],
  az: [
    ['a name', { ['k'.repeat(512)]: 'v' }, { ['k'.repeat(513)]: 'v' }, 'a name has at most 512 characters'],
    ['what a name may not have', { 'a:b c': 'v' }, { 'a/b': 'v' }, 'leave out < > % &'],
    ['two that differ in case', { team: 'v', teams: 'v' }, { team: 'v', Team: 'v' }, '"team" and "Team" are the same name on Azure'],
    ['a value', many(1, 256), many(1, 257), 'a value has at most 256'],
    ['how many', many(onAzure), many(onAzure + 1), `${onAzure + 1} are more than Azure takes`],
    ['reserved', { 'my-hidden': 'v' }, { 'Hidden-title': 'v' }, 'reserved for Azure'],
    ONE_LINE,
    NO_NAME,
  ],
}

/** Nothing answers there, and no other cloud has a login: whoever asked would fail. */
const AWAY = 'https://127.0.0.1:1'
const KUBERNETES_CONFIGURATION = JSON.stringify({
  'current-context': 'away',
  contexts: [{ name: 'away', context: { cluster: 'away', user: 'away' } }],
  clusters: [{ name: 'away', cluster: { server: AWAY } }],
  users: [{ name: 'away', user: { token: 't' } }],
})

test.each(clouds.map((cloud) => [cloud.id, cloud] as const))('%s refuses them before it asks or makes anything', async (id, { load }) => {
  const home = await mkdtemp(join(tmpdir(), 'tpi-tags-'))
  const context = { env: { KUBERNETES_CONFIGURATION }, home, values: { region: 'us-west' }, clock: fakeClock() }
  const cloud = await (await load()).open({ ...context, log: { warn: () => undefined } } as unknown as CloudContext)
  const [, , exceeds] = EDGES[id]!.find(([name]) => name === 'no name')!
  const faults = await cloud.faults({ tags: tagged(exceeds), size: {}, spot: { want: 'never' } })
  expect(faults.map(({ option }) => option)).toEqual(['tags'])
  expect(await readdir(home)).toEqual([])
  await rm(home, { recursive: true })
})

describe.each(clouds.map(({ id }) => id))('tags of the user on %s', (id) => {
  test.each(EDGES[id] ?? [])('%s', async (_name, fits, exceeds, says) => {
    const { tagFaults } = (await import(`../../src/clouds/${id}/tags.ts`)) as { tagFaults(tags: DeploymentTags): Fault[] }
    expect(tagFaults(tagged(fits))).toEqual([])
    expect(deploymentTags(JSON.parse(JSON.stringify(tagged(fits))))).toEqual(tagged(fits))
    const [fault, ...more] = tagFaults(tagged(exceeds))
    expect(more).toEqual([])
    expect(fault?.option).toBe('tags')
    expect(`${fault?.message} (${fault?.hint})`).toContain(says)
  })
})
