import { rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Mirror } from '../../src/engine/follow/mirror.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { storeServer } from '../../src/stores/http/server.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { Store } from '../../src/wire/store.ts'
import { bytes, keysOf, textAt } from '../conformance/store-lab.ts'
import { hurryTimers } from '../setup/hurried-timers.ts'
import { listening, portOf } from '../setup/listening.ts'
import { scratch } from '../setup/scratch.ts'
import { until as untilHolds } from '../setup/wait.ts'

// The server looks more often for changes that it was not told of.
hurryTimers(10)

const RECORD = 'id/inc/slots/0/slot.json'
const LOG = 'id/inc/slots/0/log/'
const requests = [{ record: RECORD, folder: LOG }]

let folder: string
let server: Server
let behind: Store
let store: Store
let asked: string[]
let over: AbortController

beforeEach(async () => {
  folder = scratch('tpi-mirror-')
  behind = await openStore({ url: `dir://${folder}` })
  server = storeServer({ store: behind, token: 'known' })
  asked = []
  server.on('request', (request) => asked.push(`${request.method} ${request.url?.split('?')[0]}`))
  await listening(server)
  store = await openStore({ url: `http://127.0.0.1:${portOf(server)}`, credentials: { token: 'known' } })
  await store.init('id/inc/')
  over = new AbortController()
})

afterEach(async () => {
  over.abort()
  await store.close?.()
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const until = async (question: () => Promise<boolean>): Promise<void> => untilHolds('the mirror has come that far', question)

/** One look of a follower: the record, then new log segments. */
async function look(mirror: Store, seen: string[]): Promise<string | undefined> {
  const record = await textAt(mirror, RECORD)
  for (const key of await keysOf(mirror, LOG, seen.at(-1))) {
    if ((await mirror.read(key)) !== undefined) seen.push(key)
  }
  return record
}

describe('a mirror of what a follower reads', () => {
  test('says whether its store pushes changes, because readers of logs ask for them in the cheaper way', () => {
    expect(new Mirror(store, systemClock, requests).watch).toBeDefined()
    expect(new Mirror(behind, systemClock, requests).watch).toBeUndefined()
  })

  test('asks the store until its connection is up, and nothing after that, whatever is written', async () => {
    const mirror = new Mirror(store, systemClock, requests)
    const seen: string[] = []
    await store.write(RECORD, bytes('0'))
    await store.write(`${LOG}1`, bytes('x'))
    expect(await look(mirror, seen)).toBe('0')
    void mirror.keep(over.signal)
    await until(async () => {
      asked.length = 0
      return (await look(mirror, seen)) === '0' && asked.length === 0
    })
    for (const count of [2, 3, 4]) {
      await behind.write(`${LOG}${count}`, bytes('x'))
      await store.write(RECORD, bytes(String(count)))
      asked.length = 0
      await until(async () => (await look(mirror, seen)) === String(count))
      // Segments that the record refers to arrive before it.
      await look(mirror, seen)
      expect(seen).toHaveLength(count)
      expect(asked).toEqual([])
    }
  })

  test('a broken connection costs only calls: no gap, no repetition', async () => {
    const mirror = new Mirror(store, { ...systemClock, sleep: (_, signal) => systemClock.sleep(20, signal) }, requests)
    const seen: string[] = []
    await store.write(RECORD, bytes('0'))
    await look(mirror, seen)
    void mirror.keep(over.signal)
    for (let count = 1; count <= 30; count += 1) {
      await store.write(`${LOG}${String(count).padStart(2, '0')}`, bytes('x'))
      if (count % 7 === 0) server.closeAllConnections()
      await look(mirror, seen)
    }
    await until(async () => {
      await look(mirror, seen)
      return seen.length >= 30
    })
    expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => `${LOG}${String(index + 1).padStart(2, '0')}`))
  })

  test('who begins further back than its reader gets everything, and does not set the reader back', async () => {
    const mirror = new Mirror(store, systemClock, requests)
    const seen: string[] = []
    await store.write(RECORD, bytes('0'))
    void mirror.keep(over.signal)
    for (const count of [1, 2, 3]) await store.write(`${LOG}${count}`, bytes('x'))
    await until(async () => {
      await look(mirror, seen)
      asked.length = 0
      await look(mirror, seen)
      return seen.length === 3 && asked.length === 0
    })
    expect(await keysOf(mirror, LOG)).toEqual([1, 2, 3].map((count) => `${LOG}${count}`))
    expect(await keysOf(mirror, LOG, `${LOG}0`)).toHaveLength(3)
    asked.length = 0
    await look(mirror, seen)
    expect([seen.length, asked]).toEqual([3, []])
  })

  test('a record that is removed is not remembered', async () => {
    const mirror = new Mirror(store, systemClock, requests)
    await store.write(RECORD, bytes('0'))
    void mirror.keep(over.signal)
    await until(async () => {
      asked.length = 0
      return (await textAt(mirror, RECORD)) === '0' && asked.length === 0
    })
    await store.clear('id/inc/')
    await until(async () => (await textAt(mirror, RECORD)) === undefined)
  })
})
