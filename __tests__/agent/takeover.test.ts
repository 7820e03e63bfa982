/** A machine that takes the slot of one that is gone, from a store that is slow. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import type { MachineContext } from '../../src/agent/machine-context.ts'
import { claim } from '../../src/agent/slot/takeover.ts'
import { pause } from '../../src/lib/clock.ts'
import { layout } from '../../src/wire/layout.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const AT = '2030-01-01T00:00:00.000Z'
const KEYS = layout('tpi-a', 'i')
const SLOT = KEYS.slot(0)
/** Of half a day. */
const SEGMENTS = 40_000
/** Milliseconds of each thousand entries that are listed. */
const PAGE = 2000

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'hrtime', 'Date'] })
})
afterEach(() => {
  jest.useRealTimers()
})

/** Its slot 0 is held by m1, which was lost in the middle of its attempt. */
async function slowStore(): Promise<Store & { pages: number }> {
  const memory = memoryStore()
  const open = { epoch: 1, holder: 'm1', start: AT }
  const record: SlotRecord = { ...newSlot(0, 'n', AT), state: 'running', epoch: 1, holder: 'm1', attempts: [open] }
  await memory.write(SLOT.record, Buffer.from(JSON.stringify(record)))
  const segment = { bytes: Buffer.from('x'), version: '1' }
  for (let seq = 1; seq <= SEGMENTS; seq++) memory.objects.set(SLOT.segment(1, seq), segment)
  const store = {
    ...memory,
    pages: 0,
    async *list(prefix: string, after?: string, signal?: AbortSignal) {
      let at = 0
      for await (const entry of memory.list(prefix, after)) {
        if (at++ % 1000 === 0) {
          if (store.pages++ === 3) throw new StoreError('unavailable', 'storage: away')
          await pause(PAGE, signal)
        }
        yield entry
      }
    },
  }
  return store
}

test('a log that takes longer to list than a call may take does not keep anybody from the slot', async () => {
  const store = await slowStore()
  const spec = { count: 1, lease: { beat: 200, ttl: 1000 }, retry: { maxAttempts: 5, retries: 0, retryOn: [] }, lifetime: { deadline: AT } }
  const context = { config: { machine: 'm2', index: 0, dead: ['m1'] }, spec, store, keys: KEYS, say: () => undefined }
  const leave = new AbortController()
  const troubles: unknown[] = []
  const claimed = claim(context as unknown as MachineContext, {
    stop: () => undefined,
    pastDeadline: () => false,
    signal: leave.signal,
    trouble: (error) => void troubles.push(String(error)),
  })
  const over = new AbortController()
  const end = (): void => over.abort()
  claimed.then(end, end)
  while (!over.signal.aborted && store.pages < 3 * (SEGMENTS / 1000)) await jest.advanceTimersByTimeAsync(100)
  leave.abort(new Error('it would never come to an end'))
  const taken = await claimed
  expect(taken).toMatchObject({ index: 0, holder: { record: { holder: 'm2', epoch: 2 } } })
  const { attempts } = JSON.parse(Buffer.from((await store.read(SLOT.record))!.bytes).toString()) as SlotRecord
  expect(attempts[0]).toMatchObject({ epoch: 1, cause: 'lost', logEnd: SEGMENTS })
  expect(troubles).toEqual(['StoreError: storage: away'])
})
