/**
 * A run that stays in a region after all is given machines as before, also at full price if those had begun to start, and also by a command that is told
 * to end.
 */
import { expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/az/api.ts'
import { groupName, twinName } from '../../../src/clouds/az/names.ts'
import { asleep, begun, keeping, keptBy, openFor, over, putOff } from '../../../src/clouds/az/profiles.ts'
import { GroupSizes } from '../../../src/clouds/az/scale.ts'
import type { AutoscaleProfile } from '../../../src/clouds/az/sdk.ts'
import type { CloudContext } from '../../../src/core/cloud.ts'
import { QuotaError } from '../../../src/core/errors.ts'

const of = { id: 'tpi-x-0123456789', incarnation: 'abcdef0123' }
const MINUTE = 60_000
const NOW = Date.parse('2026-11-02T09:00:00Z')
const END = NOW + 120 * MINUTE
const WAIT = 10 * MINUTE
const twin = (armed: number): readonly AutoscaleProfile[] =>
  putOff([asleep({ end: END, count: 3 }), over(0)], { end: END, count: 3 }, WAIT, armed)

test.each([
  ['a machine has left that had come at full price', keeping(begun(twin(NOW - 20 * MINUTE), NOW - 5 * MINUTE), 2), [3, 3, 3]],
  ['nobody has come yet, who was to by now', twin(NOW - 20 * MINUTE), [3, 3, 3]],
  ['those are to come later', twin(NOW), [3, 0, 3]],
  ['there are none', undefined, [3, undefined, undefined]],
])('%s', async (_, second, expected) => {
  const settings = new Map<string, readonly AutoscaleProfile[]>([
    [groupName(of), [openFor({ start: NOW - MINUTE, end: END, most: 3 }), over(0)]],
    ...(second ? [[twinName(of), second] as const] : []),
  ])
  const api = {
    maybe: async (op: string, _what: string, { path: { name } }: { readonly path: { readonly name: string } }) => {
      if (op === 'sets.get') return { sku: { name: 'Standard_D2s_v3', capacity: 0 } }
      const profiles = settings.get(name)
      return profiles && { name, properties: { enabled: true, targetResourceUri: '', profiles } }
    },
    maybeAnswer: async (op: string, _what: string, { path, body }: { readonly path: { readonly name: string }; readonly body: never }) => {
      if (op !== 'settings.patch') return undefined
      settings.set(path.name, (body as { properties: { profiles: readonly AutoscaleProfile[] } }).properties.profiles)
      return {}
    },
  } as unknown as Api
  const context = { signal: AbortSignal.abort(), clock: { date: () => new Date(NOW) } } as unknown as CloudContext
  await new GroupSizes(api, of, 'group', context).resume(3, { tell: () => undefined, expects: () => undefined })
  const kept = (name: string, at: number) => settings.get(name) && keptBy(settings.get(name)!, at)
  expect([kept(groupName(of), NOW), kept(twinName(of), NOW), kept(twinName(of), NOW + 11 * MINUTE)]).toEqual(expected)
})

test.each([
  ['goes on if machines at full price are to come', 'LowPriorityCores', true, undefined],
  ['is refused without them', 'LowPriorityCores', false, QuotaError],
  ['is refused if the quota holds for all machines', 'standardDSv5Family Cores', true, QuotaError],
])('a set that has no quota for its machines %s', async (_, quota, hasTwin, refused) => {
  const profiles = [openFor({ start: NOW - MINUTE, end: END, most: 3 }), over(0)]
  const api = {
    maybe: async (op: string, _what: string, { path: { name } }: { readonly path: { readonly name: string } }) => {
      if (name === twinName(of) && !hasTwin) return undefined
      return op === 'sets.get' ? { sku: { name: 'Standard_D2s_v5', capacity: 0 } } : { name, properties: { profiles } }
    },
    maybeAnswer: async (op: string) => {
      if (op === 'sets.patch') throw new QuotaError(`az: it results in exceeding approved ${quota} quota`)
      return {}
    },
  } as unknown as Api
  const context = { signal: new AbortController().signal, clock: { date: () => new Date(NOW) } } as unknown as CloudContext
  const told: string[] = []
  const follower = { tell: (__: string, message: string) => void told.push(message), expects: () => undefined }
  const ended = await new GroupSizes(api, of, 'group', context).resume(3, follower).catch((error: unknown) => error)
  expect([(ended as Error | undefined)?.constructor, told.length]).toEqual([refused, refused ? 0 : 1])
})
