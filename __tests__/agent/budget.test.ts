/** Machines stop a run whose budget is used up, whether or not a controller follows it. */
import { expect, test } from '@jest/globals'
import type { SlotContext } from '../../src/agent/machine-context.ts'
import { keepBudget, noteFullPrice } from '../../src/agent/slot/budget.ts'
import type { Holder } from '../../src/agent/slot/holder.ts'
import { machineHours, overspent, spentBy } from '../../src/wire/budget.ts'
import { layout } from '../../src/wire/layout.ts'
import type { Standby } from '../../src/wire/machine-side.ts'
import { newSlot } from '../../src/wire/slot.ts'
import { StoreError } from '../../src/wire/store.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()

test('counts the hours in which machines held slots: all attempts, and the open one until now', () => {
  const now = '2030-01-01T10:00:00.000Z'
  const slots = [
    {
      attempts: [
        { holder: 'a', start: '2030-01-01T01:00:00.000Z', end: '2030-01-01T02:30:00.000Z' },
        { holder: 'b', start: '2030-01-01T08:00:00.000Z' },
      ],
    },
    { attempts: [{ holder: 'c', start: '2030-01-01T09:00:00.000Z' }] },
    { attempts: [] },
  ]
  expect(machineHours(slots, now)).toBe(4.5)
  expect(overspent({ most: 9, hour: 2 }, slots, now)).toBe('max-cost of 9 USD')
  expect(overspent({ most: 9.1, hour: 2 }, slots, now)).toBeUndefined()
})

test('a machine that died without notice counts until its last sign of life, whether or not a command has noticed', () => {
  const now = '2030-01-01T20:00:00.000Z'
  const attempts = [{ holder: 'a', start: '2030-01-01T01:00:00.000Z' }]
  const at = '2030-01-01T06:00:00.000Z'
  expect(machineHours([{ attempts, at }], now)).toBe(5)
  // Another command has written the record since.
  expect(machineHours([{ attempts: attempts.map((one) => ({ ...one, lastSign: at })), at: now }], now)).toBe(5)
  // Its clock is ahead of ours.
  expect(machineHours([{ attempts, at: '2030-01-02T00:00:00.000Z' }], now)).toBe(19)
  expect(spentBy({ most: 9, hour: 2 }, [{ attempts, at }], now)).toBe(10)
})

test('hours at full price cost the full price, also before the record says so, and without a follower', () => {
  const now = '2030-01-01T10:00:00.000Z'
  const slots = [
    {
      attempts: [
        { holder: 'spot', start: '2030-01-01T01:00:00.000Z', end: '2030-01-01T05:00:00.000Z' },
        { holder: 'dear', start: '2030-01-01T06:00:00.000Z', end: '2030-01-01T07:00:00.000Z' },
        { holder: 'dear', start: '2030-01-01T07:00:00.000Z', full: true },
      ],
    },
  ]
  expect(spentBy({ most: 9, hour: 1, full: 3 }, slots, now)).toBe(16)
  expect(spentBy({ most: 9, hour: 1 }, slots, now)).toBe(8)
})

test('a machine at full price marks its own attempts, and no others', async () => {
  const attempts = [
    { epoch: 1, holder: 'other', start: ago(2) },
    { epoch: 2, holder: 'me', start: ago(1) },
  ]
  let record = { ...newSlot(0, 'n', ago(2)), holder: 'me', attempts }
  const holder = { update: async (change: (now: typeof record) => typeof record) => (record = change(record)) } as unknown as Holder
  const standby = (isOne: boolean) => ({ isOne: async () => isOne }) as unknown as Standby
  const { signal } = new AbortController()
  await noteFullPrice(holder, standby(false), signal)
  expect(record.attempts).toEqual(attempts)
  await noteFullPrice(holder, standby(true), signal)
  expect(record.attempts).toEqual([attempts[0], { ...attempts[1], full: true }])
})

/**
 * The context of the holder of slot `index`, of three slots of which the first has ended; its store, its log lines, and a sign of life of
 * the others.
 */
async function holderOf(index: number, start: string, ttl = 60_000) {
  const store = memoryStore()
  const keys = layout('tpi-t-0123456789', 'one')
  const said: string[] = []
  const write = async (key: string, value: object) => store.write(key, Buffer.from(JSON.stringify(value)))
  await write(keys.control, { v: 2, nonce: 'n' })
  const attempts = [{ epoch: 1, holder: 'm', start }]
  const held = { state: 'running', holder: 'm', epoch: 1, attempts, at: ago(0) }
  await write(keys.slot(0).record, { ...newSlot(0, 'n0', start), state: 'succeeded' })
  await write(keys.slot(1).record, { ...newSlot(1, 'n1', start), ...held })
  await write(keys.slot(2).record, { ...newSlot(2, 'n2', start), ...held })
  const spec = { mode: 'task', count: 3, budget: { most: 5, hour: 1 }, lease: { ttl } }
  const context = { store, keys, index, spec, say: (line: string) => said.push(line) } as unknown as SlotContext
  let beats = 0
  const beat = async (): Promise<unknown> => write(keys.slot(1).record, { ...newSlot(1, `beat${++beats}`, start), ...held })
  const stop = async (): Promise<{ by: string } | undefined> =>
    (JSON.parse(Buffer.from((await store.read(keys.control))!.bytes).toString()) as { stop?: { by: string } }).stop
  return { context, said, stop, beat }
}

test.each([
  ['of the lowest slot that is held', 1, ago(3), 'max-cost of 5 USD'],
  ['of another one leaves it to that', 2, ago(3), undefined],
  ['with money left goes on', 1, ago(1), undefined],
])('the holder %s', async (_, index, start, by) => {
  const { context, said, stop, beat } = await holderOf(index, start)
  const over = new AbortController()
  const beats = setInterval(() => void beat(), 20)
  const looking = keepBudget(context, over.signal, 10)
  // With nothing to do, it keeps looking until it is aborted.
  if (by === undefined) setTimeout(() => over.abort(), 200)
  await looking
  clearInterval(beats)
  expect((await stop())?.by).toBe(by)
  expect(said).toHaveLength(by === undefined ? 0 : 1)
})

test('the holder of another slot steps in if that of the lowest one is silent', async () => {
  const { context, stop } = await holderOf(2, ago(3), 100)
  await keepBudget(context, AbortSignal.timeout(5000), 10)
  expect((await stop())?.by).toBe('max-cost of 5 USD')
})

test('the holder of another slot reads no more than it must to know that', async () => {
  const { context } = await holderOf(1, ago(3))
  const [read, over] = [[] as string[], new AbortController()]
  const counting = { ...context.store, read: async (key: string) => (read.push(key), over.abort(), context.store.read(key)) }
  await keepBudget({ ...context, index: 2, store: counting }, over.signal, 10)
  expect(read).toEqual([0, 1].map((slot) => context.keys.slot(slot).record))
})

test('a store that is away just then is retried until it has the request', async () => {
  const { context, said, stop } = await holderOf(1, ago(3))
  let tries = 0
  const write: typeof context.store.write = async (...request) => {
    tries += 1
    if (tries < 3) throw new StoreError('denied', 'no')
    return context.store.write(...request)
  }
  await keepBudget({ ...context, store: { ...context.store, write } }, AbortSignal.timeout(5000), 1)
  expect((await stop())?.by).toBe('max-cost of 5 USD')
  expect([tries, said.length]).toEqual([3, 1])
})
