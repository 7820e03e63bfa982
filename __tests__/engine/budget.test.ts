/** A follower counts each hour at the price of that hour: a high price for a moment does not raise the cost of earlier hours. */
import { expect, test } from '@jest/globals'
import { type Engine, readControl } from '../../src/engine/deployment.ts'
import { BudgetWatch } from '../../src/engine/follow/budget.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { Spec } from '../../src/wire/spec.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'
import { deploymentOn } from './one-deployment.ts'

const AT = '2030-01-03T00:00:00.000Z'
const HOUR = 3_600_000

test.each<[string, readonly (number | undefined)[], number, boolean]>([
  ['the price of the start where none is told', [undefined, undefined, undefined, undefined], 3, false],
  ['the full price of the start where none is told of a machine at full price', [3, undefined], 1, true],
  ['a dearer one from when it is seen', [3, 3, 3], 1, false],
  ['the cheaper one of a moment', [3, 1, 1, 1], 3, false],
])('with prices of %s, what is left lasts for its hours', async (_, prices, hours, full) => {
  const clock = fakeClock(AT)
  let price: number | undefined
  const cloud = { price: async () => price }
  const d = deploymentOn(memoryStore(), cloud)
  const start = new Date(Date.parse(AT) - 37 * HOUR).toISOString()
  const slot = {
    ...newSlot(0, 'n', start),
    state: 'running',
    holder: 'm',
    epoch: 1,
    attempts: [{ epoch: 1, holder: 'm', start, ...(full && { full }) }],
  }
  const budget = full ? { most: 113, hour: 1, full: 3 } : { most: 40, hour: 1 }
  const spec = { mode: 'task', budget } as unknown as Spec
  const watch = new BudgetWatch({ clock, host: memoryHost() } as unknown as Engine, d, spec)
  const reported: (string | undefined)[] = []
  for (const now of prices) {
    price = now
    reported.push(await watch.look([{ ...slot, at: clock.date().toISOString() } as SlotRecord]))
    await clock.advance(HOUR)
  }
  expect(reported.findIndex((text) => text !== undefined)).toBe(hours)
  expect((await readControl(d))?.stop?.by).toBe(`max-cost of ${budget.most} USD`)
})
