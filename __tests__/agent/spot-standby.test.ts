/** Machines at full price are kept back as long as every slot is held, and called when one slot is interrupted too often. */
import { describe, expect, test } from '@jest/globals'
import type { SlotContext } from '../../src/agent/machine-context.ts'
import { callOthers, isTooOften, keepBack, startKeepingBack } from '../../src/agent/slot/spot-standby.ts'
import { layout } from '../../src/wire/layout.ts'
import type { Standby } from '../../src/wire/machine-side.ts'
import { type Attempt, newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import { until } from '../setup/wait.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const NOW = Date.parse('2030-01-01T12:00:00Z')
const ended = (minutes: number, cause: Attempt['cause'] = 'interrupted'): Attempt => ({
  epoch: 1,
  holder: 'm',
  start: new Date(NOW - 3_600_000).toISOString(),
  end: new Date(NOW - minutes * 60_000).toISOString(),
  ...(cause && { cause }),
})

test.each([
  ['one interruption', [ended(0)], false],
  ['two in a quarter of an hour', [ended(14), ended(0)], true],
  ['two further apart', [ended(16), ended(0)], false],
  ['one machine that was lost, and one notice', [ended(3, 'lost'), ended(0)], true],
  ['a script that failed, and one notice', [ended(3, 'exit'), ended(0)], false],
])('%s: too often %#', (_, attempts, often) => {
  expect(isTooOften({ attempts }, NOW)).toBe(often)
})

const standbyOf = (how: Partial<Standby> = {}) => {
  const calls: string[] = []
  const standby: Standby = {
    wait: 40,
    isOne: async () => false,
    hold: async () => void calls.push('hold'),
    rouse: async () => calls.push('rouse') > 0,
    ...how,
  }
  return { calls, standby }
}

describe('they are kept back', () => {
  type Held = Partial<Pick<SlotRecord, 'state' | 'holder' | 'released'>>
  const mine: Held = { state: 'running', holder: 'me' }

  /** The calls and the log lines of the holder of `index`. */
  async function turns(index: number, slots: readonly Held[], request: Partial<Standby> = {}) {
    const store = memoryStore()
    const keys = layout('tpi-t-0123456789', 'one')
    for (const [at, held] of slots.entries()) {
      const record = { ...newSlot(at, `n${at}`, '2030-01-01T00:00:00.000Z'), ...held }
      await store.write(keys.slot(at).record, Buffer.from(JSON.stringify(record)))
    }
    const said: string[] = []
    const over = new AbortController()
    let looks = 0
    const watched = {
      ...store,
      read: async (...asked: Parameters<typeof store.read>) => {
        looks += 1
        return store.read(...asked)
      },
    }
    const spec = { count: slots.length, lease: { beat: 5, ttl: 60_000 } }
    const context = { store: watched, keys, index, spec, say: (line: string) => said.push(line) } as unknown as SlotContext
    const { calls, standby } = standbyOf(request)
    const watching = keepBack(context, standby, over.signal)
    await Promise.race([watching, until('it has had its turns', () => calls.length >= 2 || looks >= 4 * slots.length)])
    over.abort()
    await watching
    return { calls, said }
  }

  test('by the holder of the lowest slot that is open, repeatedly', async () => {
    expect((await turns(0, [mine])).calls).toEqual(expect.arrayContaining(['hold', 'hold']))
    expect((await turns(1, [{ state: 'succeeded' }, mine, { state: 'running', holder: 'x' }])).calls.length).toBeGreaterThan(1)
  })

  test.each([
    ['by no other one', 1, [{ state: 'running', holder: 'x' }, mine]],
    ['not while a slot waits for its first machine', 0, [mine, { state: 'waiting' }]],
    ['not while an interrupted one waits for its next', 0, [mine, { state: 'interrupted', holder: 'x', released: true }]],
  ] as const)('%s', async (_, index, slots) => {
    expect((await turns(index, slots)).calls).toEqual([])
  })

  test('and a failure to do so is reported once', async () => {
    let tries = 0
    const hold = async (): Promise<void> => {
      tries += 1
      throw new Error('no right')
    }
    const { said } = await turns(0, [mine, { state: 'succeeded' }], { hold })
    expect(tries).toBeGreaterThan(1)
    expect(said).toEqual(['machines at full price may start, because they could not be postponed: no right'])
  })
})

test('before they are called, no new call holds them back, and one under way has ended', async () => {
  const keys = layout('tpi-t-0123456789', 'one')
  const context = { store: memoryStore(), keys, index: 0, spec: { count: 1, lease: { beat: 5, ttl: 60_000 } } } as unknown as SlotContext
  const did: string[] = []
  const hold = async (): Promise<void> => {
    did.push('begun')
    await new Promise((resolve) => setTimeout(resolve, 50))
    did.push('put off')
  }
  const stopKeepingBack = startKeepingBack(context, standbyOf({ hold }).standby, new AbortController().signal)
  while (did.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await stopKeepingBack()
  expect(did).toEqual(['begun', 'put off'])
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(did).toHaveLength(2)
})

describe('where a slot is interrupted too often', () => {
  const attempts = [ended(0), ended(0)].map((attempt) => ({ ...attempt, end: new Date().toISOString() }))
  const call = async (how: Partial<Standby>): Promise<boolean> =>
    callOthers({ say: () => undefined }, standbyOf(how).standby, { ...newSlot(0, 'n', '2030-01-01T00:00:00.000Z'), attempts })

  test('they are called, and this machine is not replaced', async () => expect(await call({})).toBe(true))
  test('a machine that is one of them is replaced', async () => expect(await call({ rouse: async () => false })).toBe(false))
  test('so is one that cannot call them', async () => {
    expect(await call({ rouse: async () => Promise.reject(new Error('out')) })).toBe(false)
  })
})
