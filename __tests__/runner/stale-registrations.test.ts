/** Which registrations that were seen without a machine a sweep no longer counts as stale. */
import { expect, test } from '@jest/globals'
import { RemoteError } from '../../src/core/errors.ts'
import type { Forge, RunnerInfo } from '../../src/core/forge.ts'
import { staleRegistrations } from '../../src/runner/stale-registrations.ts'
import { atDouble } from '../forges/github-at.ts'

const on = atDouble()
const LAUNCH = 'tpi-other-0123456789-0123456789'
const NOW = new Date('2030-01-01T00:00:00.000Z')

/** Registrations of one launch that were seen without a machine an hour ago. */
async function noted(forge: Forge): Promise<void> {
  const places = [0, 1].map((slot) => ({ slot, k: 0, name: `${LAUNCH}-${slot}-0` }))
  const platform = { os: 'linux', arch: 'x64' } as const
  const { enrolled } = await forge.enroll({ places, labels: ['gpu'], jobs: 1, idle: null, platform, env: {}, deadline: NOW.toISOString() })
  for (const { id = '' } of enrolled) await forge.notice(id, new Date(NOW.getTime() - 3_600_000))
}
const notes = async (): Promise<RunnerInfo['noticed'][]> => (await on.forge.runners('tpi-')).map(({ noticed }) => noticed)

test('those of a launch in which one serves', async () => {
  await noted(on.forge)
  for (const runner of on.double.runners.values())
    if (runner.name.endsWith('-1-0')) Object.assign(runner, { online: true, seen: Number.POSITIVE_INFINITY })
  expect(await staleRegistrations(on.forge, [], NOW, false)).toEqual([])
  expect(await notes()).not.toContain(undefined)
  expect(await staleRegistrations(on.forge, [], NOW, true)).toEqual([])
  expect(await notes()).toEqual([undefined, undefined])
})

test('those of a launch with a record here', async () => {
  await noted(on.forge)
  expect(await staleRegistrations(on.forge, ['tpi-other-'], NOW, true)).toEqual([])
  expect(await notes()).toEqual([undefined, undefined])
  expect([...on.double.runners.values()].map(({ labels }) => labels)).toEqual([['gpu'], ['gpu']])
})

test('one that cannot be read does not keep the others, and is named', async () => {
  await noted(on.forge)
  const [first] = await on.forge.runners('tpi-')
  const forge: Forge = Object.create(on.forge, {
    one: {
      value: async (id: string) => {
        if (id === first?.id) throw new RemoteError('the forge is away')
        return on.forge.one(id)
      },
    },
  })
  const found = await staleRegistrations(forge, [], NOW, true)
  expect(found.map(({ name, removed, fault }) => [name, removed, fault?.message])).toEqual([
    [first?.name, false, 'the forge is away'],
    [expect.not.stringMatching(`^${first?.name}$`), true, undefined],
  ])
  expect(on.double.runners.size).toBe(1)
})
