/** What `tpi status` and `tpi list` show about a run that is not working yet. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { parseRecord, recordBytes } from '../../src/wire/parse.ts'
import { CURRENT } from '../../src/wire/records.ts'
import { SLOT } from '../../src/wire/slot.ts'
import { Commands } from '../clouds/awkward/commands.ts'

let all: Commands
beforeEach(() => {
  all = new Commands()
})
afterEach(() => all.close())

test('the progress of a machine’s files is shown beside its phase, and in the JSON', async () => {
  all.room('east-1', 0)
  const begun = await all.passing(
    all.start(['task', '--cloud', 'awkward', '--name', 'fit', '--detach', '--output', 'result', '--script', 'true']),
  )
  expect(begun.code).toBe(0)
  const [key = '', held] = [...all.store.objects].find(([at]) => at.endsWith('/slot.json')) ?? []
  const slot = parseRecord(SLOT, held!.bytes, key)
  const transfer = { done: 270e6, total: 600e6, since: '2026-01-01T00:00:00.000Z' }
  const at = '2026-01-01T00:00:10.000Z'
  const bytes = recordBytes(SLOT, { ...slot, state: 'booting', phase: 'restoring', transfer, at })
  await all.store.write(key, bytes)
  const { lines } = await all.passing(all.start(['status', 'fit', '--cloud', 'awkward']))
  expect(lines.join('\n')).toContain('booting (restoring: 270 MB of 600 MB (45 %), 27 MB/s, 13s left)')
  const { facts } = await all.passing(all.start(['status', 'fit', '--cloud', 'awkward', '--json']))
  expect(facts).toMatchObject({ slots: [{ phase: 'restoring', transfer: { ...transfer, at } }] })
})

test('a run whose creation was cut off once its specification was there has a deadline, and time left until then', async () => {
  all.room('east-1', 0)
  await all.passing(all.start(['task', '--cloud', 'awkward', '--name', 'fit', '--detach', '--timeout', '2h', '--script', 'true']))
  const [key = '', held] = [...all.store.objects].find(([at]) => at.endsWith('/current.json')) ?? []
  await all.store.write(key, recordBytes(CURRENT, { ...parseRecord(CURRENT, held!.bytes, key), state: 'making' }))
  const { facts } = await all.passing(all.start(['status', 'fit', '--cloud', 'awkward', '--json']))
  expect(facts).toMatchObject({ state: 'creating', deadline: expect.stringMatching(/^\d{4}-.*Z$/) })
  const { lines } = await all.passing(all.start(['list', '--cloud', 'awkward']))
  expect(lines.join('\n')).toMatch(/ creating .* 1h \d+m /)
})
