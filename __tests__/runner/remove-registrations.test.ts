/** Removing runners that the forge considers busy is retried, within limits; the forge's answers are scripted. */
import { expect, jest, test } from '@jest/globals'
import type { Eviction } from '../../src/core/forge.ts'
import { removeIdleRegistrations } from '../../src/runner/remove-registrations.ts'
import { fakeClock } from '../lib/fake-clock.ts'

const HAD = ['1', '2', '3'].map((id) => ({ id, name: `r-${id}` }))

/** `answers`: by id; the last one repeats. */
async function play(answers: Readonly<Record<string, readonly Eviction[]>>) {
  const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
  const begun = clock.now()
  const asked: string[] = []
  const evict = async (id: string): Promise<Eviction> => {
    const all = answers[id] ?? []
    const times = asked.filter((one) => one === id).length
    asked.push(id)
    return all[Math.min(times, all.length - 1)] ?? 'absent'
  }
  const outcome = await removeIdleRegistrations(clock, { evict }, HAD, new AbortController().signal)
  return { outcome, asked, took: clock.now() - begun }
}

test('each is retried until it is gone, and then no more', async () => {
  const { outcome, asked, took } = await play({ 1: ['busy', 'busy', 'removed'], 2: ['absent'], 3: ['busy', 'absent'] })
  expect(outcome).toEqual({ removed: 1, busy: [] })
  expect(asked).toEqual(['1', '2', '3', '1', '3', '1'])
  expect(took).toBeLessThan(10_000)
})

test('one that stays busy is retried for ten seconds, and named', async () => {
  // Pauses are random, and so is their number.
  const random = jest.spyOn(Math, 'random').mockReturnValue(0.5)
  const { outcome, asked, took } = await play({ 1: ['removed'], 2: ['busy'], 3: ['removed'] })
  expect(outcome).toEqual({ removed: 2, busy: [HAD[1]] })
  random.mockRestore()
  expect(took).toBe(10_000)
  // Each once, then the busy one after 0.25, 0.5 and 1 s, every 1.5 s, and at the end.
  expect(asked).toEqual(['1', '2', '3', ...Array.from({ length: 9 }, () => '2')])
})
