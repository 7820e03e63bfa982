/** What the history says of a run that was removed while it was running: nothing of it runs any more. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Past } from '../../src/engine/history.ts'
import { Commands } from '../clouds/awkward/commands.ts'

let all: Commands
beforeEach(() => {
  all = new Commands()
})
afterEach(() => all.close())

const ON = ['--cloud', 'awkward']

test.each([
  ['at work', 3_600_000, 1],
  ['still to come', 0, 0],
])('its machine was %s', async (_, takes, attempts) => {
  if (attempts === 0) all.room('east-1', 0)
  all.work = { takes }
  await all.passing(all.start(['task', ...ON, '--name', 'fit', '--detach', '--script', 'true']))
  if (attempts > 0) {
    await all.until(() => all.begun.length > 0)
    await all.pass(60_000)
  }
  const { code, facts } = await all.passing(all.start(['destroy', 'fit', ...ON, '--discard', '--json']))
  expect(code).toBe(0)
  const seen = (await all.passing(all.start(['status', 'fit', ...ON, '--json']))).facts as Past
  expect(seen).toMatchObject({ ...(facts as Past), state: 'stopped', outcome: 'stopped', destroyed: true, endedAt: expect.any(String) })
  const [slot] = seen.slots
  const reason = 'removed before it had ended'
  expect(slot).toMatchObject({ state: 'stopped', reason, at: seen.endedAt })
  expect(slot).not.toHaveProperty('phase')
  expect(slot?.attempts).toHaveLength(attempts)
  for (const attempt of slot?.attempts ?? []) {
    expect(attempt).toMatchObject({ cause: 'stopped', reason, end: expect.any(String) })
    expect([attempt.start < attempt.end!, attempt.end! <= seen.endedAt!]).toEqual([true, true])
  }
  const { lines } = await all.passing(all.start(['status', 'fit', ...ON]))
  expect(lines.join('\n')).not.toMatch(/running|booting|waiting/)
})
