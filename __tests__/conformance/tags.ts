/** The user's tags at a cloud's limits: the last set that fits is accepted and can be read back, and the next one gives one clear error. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { cloudById } from '../../src/clouds/registry.ts'
import type { CloudContext, DeploymentTags } from '../../src/core/cloud.ts'
import type { Fault } from '../../src/core/errors.ts'
import { deploymentTags } from '../../src/core/tags.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { tagsOf } from '../setup/tags.ts'

type Pairs = Readonly<Record<string, string>>

export const tagged = (user: Pairs): DeploymentTags => tagsOf({ origin: { user: 'root@vm' }, store: { url: 's3://bucket/pre' }, user })
/** `count` tags whose values have this length. */
export const many = (count: number, length = 1): Pairs =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v'.repeat(length)]))
/** How many user tags fit beside tpi's own, whose number depends on them. `all`: the total number for given tags. */
export const room = (all: (tags: DeploymentTags) => number): number => {
  let count = 0
  while (all(tagged(many(count + 1))) <= 50) count += 1
  return count
}

/** What the limit is about, the last tags that fit, the first that do not, and the error's text. */
export type Edge = readonly [string, Pairs, Pairs, string]

const NO_NAME: Edge = ['no name', { k: '' }, { '': 'v' }, 'NAME=VALUE']
export const ONE_LINE: Edge = ['a name of two lines', { 'a\u2028b': 'a\nb' }, { 'a\nb': 'v' }, 'not one line of text']
/** For clouds that accept longer values. */
export const LONGEST: Edge = ['a value', many(1, 65_536), many(1, 65_537), 'a value has at most 65536']

/** Nothing answers there, and no other cloud has a login, so any request would fail. */
const AWAY = 'https://127.0.0.1:1'
const KUBERNETES_CONFIGURATION = JSON.stringify({
  'current-context': 'away',
  contexts: [{ name: 'away', context: { cluster: 'away', user: 'away' } }],
  clusters: [{ name: 'away', cluster: { server: AWAY } }],
  users: [{ name: 'away', user: { token: 't' } }],
})

/** `tagFaults`: the cloud's own. `edges`: all limits that it has. */
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
