/** The end of a log that nobody has closed, however long it is: each look costs a call, or a walk through a whole folder. */
import { expect, test } from '@jest/globals'
import { layout } from '../../src/wire/layout.ts'
import { logEndOf } from '../../src/wire/log-end.ts'
import type { SlotRecord } from '../../src/wire/slot.ts'
import { type Store, type StoreEntry, StoreError } from '../../src/wire/store.ts'

const slot = layout('tpi-a', 'i').slot(0)
const attempts = (epoch: number, end?: string) => ({ attempts: [{ epoch, end }] }) as unknown as Pick<SlotRecord, 'attempts'>

/** The place of the first key for which this holds, as it does for all after that. */
function placeOf(sorted: readonly string[], holds: (key: string) => boolean): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (holds(sorted[middle] ?? '')) to = middle
    else from = middle + 1
  }
  return from
}

/** Lists these keys, and counts pages of a thousand. */
function listing(keys: readonly string[], fails: () => boolean = () => false): Pick<Store, 'list'> & { pages: number } {
  const sorted = keys.toSorted()
  const store = {
    pages: 0,
    async *list(prefix: string, after = ''): AsyncGenerator<StoreEntry> {
      const from = placeOf(sorted, (key) => key >= prefix && key > after)
      const to = placeOf(sorted, (key) => key > prefix && !key.startsWith(prefix))
      for (let at = from; at === from || at < to; at += 1000) {
        store.pages++
        if (fails()) throw new StoreError('unavailable', 'storage: away')
        for (const key of sorted.slice(at, Math.min(at + 1000, to))) yield { key, size: 1 }
      }
    },
  }
  return store
}

const segments = (epoch: number, count: number, first = 1): string[] =>
  Array.from({ length: count }, (_, at) => slot.segment(epoch, first + at))

test.each([0, 1, 2, 999, 1000, 1001, 1999, 2000, 2001, 2999, 3000, 3001, 3999, 4001, 5000, 6001, 10_000, 12_345])(
  '%i segments',
  async (count) => {
    expect(await logEndOf(listing(segments(1, count)), slot, attempts(1))).toBe(count)
  },
)

test('only those of the open attempt count, and nothing else that lies there', async () => {
  const keys = [...segments(1, 70), ...segments(2, 3), ...segments(3, 1500), slot.record, `${slot.log}000002-x`, `${slot.log}000003`]
  expect(await logEndOf(listing(keys), slot, attempts(2))).toBe(3)
  expect(await logEndOf(listing([...segments(1, 70), ...segments(3, 9)]), slot, attempts(2))).toBe(0)
})

test('gaps do not hide what comes after them', async () => {
  for (const gap of [1, 999, 1000, 5000])
    for (const before of [0, 1, 1000, 3500])
      for (const after of [1, 1000, 2500]) {
        const keys = [...segments(1, before), ...segments(1, after, before + gap + 1)]
        expect(await logEndOf(listing(keys), slot, attempts(1))).toBe(before + gap + after)
      }
})

test('an attempt that has ended has its own', async () => {
  expect(await logEndOf(listing(segments(1, 5)), slot, attempts(1, '2030-01-01T00:00:00Z'))).toBeUndefined()
  expect(await logEndOf(listing([]), slot, { attempts: [] })).toBeUndefined()
})

test('of a few days’ log, some twenty pages are looked at and not hundreds; a look that fails costs itself only', async () => {
  const keys = segments(1, 300_000)
  const store = listing(keys)
  expect(await logEndOf(store, slot, attempts(1))).toBe(300_000)
  expect(store.pages).toBeLessThanOrEqual(20)
  let looks = 0
  const flaky = listing(keys, () => looks++ % 2 === 0)
  const again = async <T>(look: () => Promise<T>): Promise<T> => look().catch(look)
  expect(await logEndOf(flaky, slot, attempts(1), again)).toBe(300_000)
  expect(flaky.pages).toBe(2 * store.pages)
})

test('where a list cannot begin behind a key, it is found by prefixes, with gaps and other attempts', async () => {
  for (const keys of [
    segments(1, 4321),
    [...segments(1, 1000), ...segments(1, 5, 30_000)],
    [...segments(1, 70_000), ...segments(2, 90_000)],
  ]) {
    const list = listing(keys)
    const fromStart = { listsFromStart: true, list: (prefix: string) => list.list(prefix) }
    const last = Math.max(...keys.filter((key) => key.includes('/000001-')).map((key) => Number(key.slice(-10))))
    expect(await logEndOf(fromStart, slot, attempts(1))).toBe(last)
    // One page at the beginning, and at most one for each digit.
    expect(list.pages).toBeLessThanOrEqual(101)
  }
})
