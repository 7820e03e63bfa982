/** The progress of a save counts the bytes that were sent, not those that were read; that of a restore the bytes that arrived, not whole objects. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { restore } from '../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { until } from '../setup/wait.ts'
import { memoryStore } from './memory-store.ts'
import { Home } from './trees.ts'

const MIB = 1 << 20

let home: Home
beforeEach(() => {
  home = new Home()
  mkdirSync(`${home.path}/work/small`, { recursive: true })
})
afterEach(() => home.remove())

/** Request bodies are sent quarter by quarter, when the test says so. */
function slowStore(): { store: Store; waiting: ReadonlySet<unknown>; more(): void } {
  const { write, ...rest } = memoryStore()
  const waiting = new Set<() => void>()
  const store: Store = {
    ...rest,
    async write(key, body, condition, signal, sent) {
      for (const quarter of [1, 2, 3, 4]) {
        await new Promise<void>((resolve) => waiting.add(resolve))
        sent?.((body.length * quarter) / 4)
      }
      return write(key, body, condition, signal)
    },
  }
  const more = (): void => {
    for (const go of waiting) {
      waiting.delete(go)
      go()
    }
  }
  return { store, waiting, more }
}

test('files large and small: all of them, as they are sent', async () => {
  writeFileSync(`${home.path}/work/large`, randomBytes(10 * MIB))
  for (let file = 0; file < 8; file++) writeFileSync(`${home.path}/work/small/${file}`, randomBytes(MIB / 8))
  const { store, waiting, more } = slowStore()
  const saver = await openSaver({ store, root: 'id/one/', at: 'base/', folder: `${home.path}/work`, warn: () => undefined })
  const told: number[] = []
  const end = { over: false }
  const saving = saver.save({ progress: ({ bytes, total }) => void told.push(bytes / total) }).finally(() => (end.over = true))
  await until('it waits for the store', () => waiting.size > 0 && told.length > 0)
  // Something was read, and nothing has been sent.
  expect(told.at(-1)).toBe(0)
  const seen: number[] = []
  while (!end.over) {
    more()
    await until('it waits again, or has ended', () => waiting.size > 0 || end.over)
    seen.push(told.at(-1) ?? Number.NaN)
  }
  await saving
  expect(seen[0]).toBeLessThan(0.3)
  expect(new Set(seen.filter((share) => share > 0 && share < 1)).size).toBeGreaterThanOrEqual(3)
  expect(told.at(-1)).toBe(1)
  expect(told).toEqual([...told].sort((a, b) => a - b))
})

test('a second save counts what it has to read', async () => {
  for (const name of ['a', 'b']) writeFileSync(`${home.path}/work/${name}`, randomBytes(2 * MIB))
  const saver = await openSaver({ store: memoryStore(), root: 'id/one/', at: 'base/', folder: `${home.path}/work`, warn: () => undefined })
  const first = await saver.save({})
  saver.published(first!, [])
  writeFileSync(`${home.path}/work/c`, randomBytes(3 * MIB))
  const totals = new Set<number>()
  await saver.save({ progress: ({ total }) => void totals.add(total) })
  // Files that were young at the first look are read again.
  expect([...totals].every((total) => total >= 3 * MIB && total <= 7 * MIB)).toBe(true)
})

test('a restore moves with each part of a read, also if that has to start again', async () => {
  writeFileSync(`${home.path}/work/large`, randomBytes(6 * MIB))
  const inner = memoryStore()
  const saver = await openSaver({ store: inner, root: 'id/one/', at: 'base/', folder: `${home.path}/work`, warn: () => undefined })
  const saved = await saver.save({})
  const broken = { once: false }
  const store: Store = {
    ...inner,
    async read(key, range, signal, received) {
      const object = await inner.read(key, range, signal)
      const length = object?.bytes.length ?? 0
      for (let part = 1; part <= 16; part++) {
        received?.((length * part) / 16)
        if (part === 8 && range && !broken.once) {
          broken.once = true
          throw new StoreError('unavailable', 'cut')
        }
      }
      return object
    },
  }
  const told: number[] = []
  await restore({
    store,
    root: 'id/one/',
    refs: [{ ...saved!.ref, epoch: 1 }],
    folder: `${home.path}/back`,
    warn: () => undefined,
    progress: ({ bytes, total }) => void told.push(bytes / total),
  })
  expect(broken.once).toBe(true)
  expect(new Set(told).size).toBeGreaterThan(20)
  expect(Math.max(...told)).toBe(1)
  expect(told.at(-1)).toBe(1)
  const drops = told.filter((share, at) => share < (told[at - 1] ?? 0))
  expect(drops).toHaveLength(1)
})
