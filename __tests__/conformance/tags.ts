/** The user's tags at the edge of what a cloud takes: the last that fits is fine and can be read back, the next one is one clear error. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { cloudById } from '../../src/clouds/registry.ts'
import type { CloudContext, DeploymentTags } from '../../src/core/cloud.ts'
import type { Fault } from '../../src/core/errors.ts'
import { deploymentTags } from '../../src/core/tags.ts'
import { fakeClock } from '../lib/fake-clock.ts'

type Pairs = Readonly<Record<string, string>>

export const tagged = (user: Pairs): DeploymentTags => ({
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
export const many = (count: number, length = 1): Pairs =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v'.repeat(length)]))
/** Tags that fit beside ours, which the user's own make more. `all`: how many there are then. */
export const room = (all: (tags: DeploymentTags) => number): number => {
  let count = 0
  while (all(tagged(many(count + 1))) <= 50) count += 1
  return count
}

/** What it is about, the last that fits, the first that does not, and what the error says. */
export type Edge = readonly [string, Pairs, Pairs, string]

const NO_NAME: Edge = ['no name', { k: '' }, { '': 'v' }, 'NAME=VALUE']
export const ONE_LINE: Edge = ['a name of two lines', { 'a\u2028b': 'a\nb' }, { 'a\nb': 'v' }, 'not one line of text']
/** Where the cloud itself takes longer ones. */
export const LONGEST: Edge = ['a value', many(1, 65_536), many(1, 65_537), 'a value has at most 65536']

/** Nothing answers there, and no other cloud has a login: whoever asked would fail. */
const AWAY = 'https://127.0.0.1:1'
const KUBERNETES_CONFIGURATION = JSON.stringify({
  'current-context': 'away',
  contexts: [{ name: 'away', context: { cluster: 'away', user: 'away' } }],
  clusters: [{ name: 'away', cluster: { server: AWAY } }],
  users: [{ name: 'away', user: { token: 't' } }],
})

/** `tagFaults`: of the cloud's room. `edges`: of all that it limits. */
export function describeTags(id: string, tagFaults: (tags: DeploymentTags) => Fault[], edges: readonly Edge[]): void {
  describe(`tags of the user on ${id}`, () => {
    test('are refused before it asks or makes anything', async () => {
      const home = await mkdtemp(join(tmpdir(), 'tpi-tags-'))
      const context = { env: { KUBERNETES_CONFIGURATION }, home, values: { region: 'us-west' }, clock: fakeClock() }
      const room = await cloudById(id)!.load()
      const cloud = await room.open({ ...context, log: { warn: () => undefined } } as unknown as CloudContext)
      const [, , exceeds] = NO_NAME
      const faults = await cloud.faults({ tags: tagged(exceeds), size: {}, spot: { want: 'never' } })
      expect(faults.map(({ option }) => option)).toEqual(['tags'])
      expect(await readdir(home)).toEqual([])
      await rm(home, { recursive: true })
    })

    test.each([NO_NAME, ...edges])('%s', (_name, fits, exceeds, says) => {
      expect(tagFaults(tagged(fits))).toEqual([])
      expect(deploymentTags(JSON.parse(JSON.stringify(tagged(fits))))).toEqual(tagged(fits))
      const [fault, ...more] = tagFaults(tagged(exceeds))
      expect(more).toEqual([])
      expect(fault?.option).toBe('tags')
      expect(`${fault?.message} (${fault?.hint})`).toContain(says)
    })
  })
}
