/** A machine that takes the slot of one that is gone, from a store that is slow. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { MachineContext } from '../../src/agent/machine-context.ts'
import { type ClaimOptions, claim } from '../../src/agent/slot/takeover.ts'
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

const spec = { count: 1, lease: { beat: 200, ttl: 1000 }, retry: { maxAttempts: 5, retries: 0, retryOn: [] }, lifetime: { deadline: AT } }

/** Machine m2 claims slot 0, until it has to leave. */
async function claimed(store: Store, leave: AbortController, more: Partial<ClaimOptions> = {}): ReturnType<typeof claim> {
  const context = { config: { machine: 'm2', index: 0, dead: ['m1'] }, spec, store, keys: KEYS, say: () => undefined }
  return claim(context as unknown as MachineContext, {
    stop: () => undefined,
    pastDeadline: () => false,
    signal: leave.signal,
    trouble: () => undefined,
    ...more,
  })
}

/** Time passes until the work is over, or the condition no longer holds. */
async function untilOver(work: Promise<unknown>, condition: () => boolean): Promise<void> {
  const over = new AbortController()
  const end = (): void => over.abort()
  work.then(end, end)
  while (!over.signal.aborted && condition()) await jest.advanceTimersByTimeAsync(100)
}

test('a log that takes longer to list than a call may take does not keep anybody from the slot', async () => {
  const store = await slowStore()
  const leave = new AbortController()
  const troubles: unknown[] = []
  const claiming = claimed(store, leave, { trouble: (error) => void troubles.push(String(error)) })
  await untilOver(claiming, () => store.pages < 3 * (SEGMENTS / 1000))
  leave.abort(new Error('it would never come to an end'))
  const taken = await claiming
  expect(taken).toMatchObject({ index: 0, holder: { record: { holder: 'm2', epoch: 2 } } })
  const { attempts } = JSON.parse(Buffer.from((await store.read(SLOT.record))!.bytes).toString()) as SlotRecord
  expect(attempts[0]).toMatchObject({ epoch: 1, cause: 'lost', logEnd: SEGMENTS })
  expect(troubles).toEqual(['StoreError: storage: away'])
})

describe('a machine that has to leave while it claims the slot', () => {
  const reclaimed = new Error('reclaimed')
  const inSeconds = (seconds: number): (() => boolean) => {
    const end = performance.now() + seconds * 1000
    return () => performance.now() < end
  }

  /** Its slot 0 is free; `during` happens between each write and its answer. */
  async function freeStore(during: (write: number) => Promise<void>): Promise<ReturnType<typeof memoryStore>> {
    const store = memoryStore()
    await store.write(SLOT.record, Buffer.from(JSON.stringify(newSlot(0, 'n', AT))))
    let writes = 0
    const write: Store['write'] = async (...call) => {
      const version = await store.write(...call)
      await during(writes++)
      return version
    }
    return { ...store, write }
  }

  test('learns that it has taken it, so that it can let go of it', async () => {
    const going = new AbortController()
    const store = await freeStore(async () => {
      going.abort(reclaimed)
      await pause(3000)
    })
    const claiming = claimed(store, going)
    await untilOver(claiming, inSeconds(4))
    expect(await claiming).toMatchObject({ index: 0, holder: { record: { holder: 'm2', epoch: 1 } } })
  })

  test('asks again if the answer is lost', async () => {
    // How long it pauses before that is measured by a clock that no test can turn.
    jest.useRealTimers()
    const going = new AbortController()
    const store = await freeStore(async (write) => {
      going.abort(reclaimed)
      if (write === 0) throw new StoreError('unavailable', 'storage: away')
    })
    expect(await claimed(store, going)).toMatchObject({ index: 0, holder: { record: { holder: 'm2', epoch: 1 } } })
  })

  test('does not wait for ever, and takes none that it has not claimed yet', async () => {
    const going = new AbortController()
    const store = await freeStore(async () => {
      going.abort(reclaimed)
      await pause(60_000)
    })
    const claiming = claimed(store, going)
    await untilOver(claiming, inSeconds(6))
    await expect(claiming).rejects.toBe(reclaimed)
    const early = new AbortController()
    const other = await freeStore(async () => undefined)
    const pastDeadline = (): boolean => {
      early.abort(reclaimed)
      return false
    }
    await expect(claimed(other, early, { pastDeadline })).rejects.toBe(reclaimed)
    expect(JSON.parse(Buffer.from((await other.read(SLOT.record))!.bytes).toString())).toMatchObject({ epoch: 0 })
  })
})
