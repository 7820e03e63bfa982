import { expect, test } from '@jest/globals'
import { swap } from '../../src/engine/change-record.ts'
import { object, text } from '../../src/lib/shape.ts'
import { StoreError } from '../../src/wire/store.ts'
import { swapRecord } from '../../src/wire/swap.ts'
import { faulty } from '../agent/faulty.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const NONCE = { what: 'a nonce', most: 1000, shape: object<{ readonly nonce: string }>({ nonce: text(100) }) }
const KEY = 'd/slot.json'
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

test('a record is replaced by a writer that names its current state, once', async () => {
  const store = memoryStore()
  const first = await swapRecord(NONCE, store, KEY, { nonce: 'a' }, undefined)
  expect(first.won).toBe(true)
  expect(await swapRecord(NONCE, store, KEY, { nonce: 'b' }, undefined)).toMatchObject({
    won: false,
    there: { bytes: bytes({ nonce: 'a' }) },
  })
  const version = first.won ? first.version : ''
  expect(await swapRecord(NONCE, store, KEY, { nonce: 'c' }, version)).toMatchObject({ won: true })
  expect(await swapRecord(NONCE, store, KEY, { nonce: 'd' }, version)).toMatchObject({
    won: false,
    there: { bytes: bytes({ nonce: 'c' }) },
  })
})

test('a conflict with our own nonce in the record means that a reply was lost', async () => {
  const store = memoryStore()
  await store.write(KEY, bytes({ nonce: 'mine' }))
  const { version } = (await store.read(KEY))!
  expect(await swapRecord(NONCE, store, KEY, { nonce: 'mine' }, 'an older one')).toEqual({ won: true, version })
})

test('a record that is gone, or not written by tpi, was changed by somebody else', async () => {
  const store = memoryStore()
  expect(await swapRecord(NONCE, store, KEY, { nonce: 'a' }, 'an older one')).toEqual({ won: false, there: undefined })
  await store.write(KEY, Buffer.from('{torn'))
  expect(await swapRecord(NONCE, store, KEY, { nonce: 'a' }, undefined)).toMatchObject({ won: false })
})

test('a controller tries once more without a reply: it has won if the first try arrived', async () => {
  const memory = memoryStore()
  let writes = 0
  const mute = faulty(memory, ({ verb }) => (verb === 'write' && ++writes === 1 ? 'mute' : undefined))
  expect(await swap(NONCE, mute, KEY, { nonce: 'a' }, undefined)).toMatchObject({ value: { nonce: 'a' } })
  expect(writes).toBe(2)
  const away = faulty(memory, () => 'away')
  await expect(swap(NONCE, away, KEY, { nonce: 'b' }, undefined)).rejects.toThrow(StoreError)
})
