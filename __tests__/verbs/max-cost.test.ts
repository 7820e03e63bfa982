/** A task whose budget is used up ends, says so, and keeps its files, so that it can be resumed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { parseRecord } from '../../src/wire/parse.ts'
import { SLOT, type SlotRecord } from '../../src/wire/slot.ts'
import { Commands } from '../clouds/awkward/commands.ts'

jest.setTimeout(120_000)

const HOUR = 3_600_000

let all: Commands
beforeEach(() => {
  all = new Commands()
  all.work = { takes: HOUR }
  // The budget lasts for a quarter of that.
  all.account.price = 12
})
afterEach(() => all.close())

const task = (...more: string[]): string[] => ['task', '--cloud', 'awkward', '--json', '--timeout', '48h', '--name', 'fit', ...more]
const BUDGET = ['--max-cost', '3', '--output', 'result', '--script', 'true']

function slots(): readonly SlotRecord[] {
  const found = [...all.store.objects].filter(([key]) => key.endsWith('/slot.json'))
  return found.map(([key, { bytes }]) => parseRecord(SLOT, bytes, key))
}

test('the outcome is stopped, by the budget; its last checkpoint is in the store, and a resumed run starts with it', async () => {
  const { code, lines, facts } = await all.passing(all.start(task(...BUDGET)))
  expect([code, facts]).toEqual([130, expect.objectContaining({ outcome: 'stopped', exitCode: 130 })])
  expect(lines).toContainEqual(
    expect.stringContaining('the budget is used up (max-cost of 3 USD): the run is stopped, and its last checkpoint stays'),
  )
  const [slot] = slots()
  expect(slot).toMatchObject({ state: 'stopped', reason: 'stopped (max-cost of 3 USD)', head: { at: 'slots/0/snap/' } })
  const kept = `${slot?.head?.at}m-${slot?.head?.digest}`
  expect([...all.store.objects.keys()]).toContainEqual(expect.stringContaining(kept))
  expect(all.wanted()).toBe(0)
  const status = await all.passing(all.start(['status', 'fit', '--cloud', 'awkward', '--json']))
  expect(status.facts).toMatchObject({ outcome: 'stopped', slots: [{ reason: 'stopped (max-cost of 3 USD)' }] })

  writeFileSync(join(all.root, 'made', 'result'), 'resumed\n')
  all.work = { takes: HOUR / 6 }
  const again = await all.passing(all.start(task(...BUDGET, '--resume')))
  expect([again.code, again.facts]).toEqual([0, expect.objectContaining({ outcome: 'success' })])
  expect(again.lines).toContainEqual(expect.stringMatching(/checkpoint/))
  expect(all.remains()).toEqual([])
})
