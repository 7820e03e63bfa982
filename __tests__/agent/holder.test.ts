import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import type { Ending } from '../../src/agent/slot/ending.ts'
import { Fenced, Holder } from '../../src/agent/slot/holder.ts'
import { keepBeating } from '../../src/agent/slot/holder-heartbeat.ts'
import { isTerminal, newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import { type Condition, type Store, type StoredObject, StoreError } from '../../src/wire/store.ts'
import { seeded } from '../storm/random.ts'
import { type Fault, faulty } from './faulty.ts'
import { nap } from './kit.ts'

/** One object with versions, as in an object store, and all of its contents so far. */
class OneObject implements Partial<Store> {
  readonly url = 'memory:'
  readonly history: SlotRecord[] = []
  #version = 0
  #bytes: Uint8Array

  constructor(record: SlotRecord) {
    this.#bytes = Buffer.from(JSON.stringify(record))
    this.history.push(record)
  }

  get record(): SlotRecord {
    return this.history.at(-1)!
  }

  async read(): Promise<StoredObject> {
    await Promise.resolve()
    return { bytes: this.#bytes, version: String(this.#version) }
  }

  async write(_key: string, body: Uint8Array, condition?: Condition): Promise<string> {
    await Promise.resolve()
    if (condition && 'version' in condition && condition.version !== String(this.#version)) throw new StoreError('conflict', 'changed')
    this.#bytes = body
    this.history.push(JSON.parse(String(body)) as SlotRecord)
    return String(++this.#version)
  }
}

const AT = '2026-01-01T00:00:00.000Z'
const FIRST: SlotRecord = { ...newSlot(0, 'first', AT), state: 'running', epoch: 1, holder: 'a' }

function hold(object: OneObject, fault: () => Fault = () => undefined): Holder {
  const store = faulty(object as unknown as Store, fault)
  return new Holder(store, 'slot.json', { record: object.record, version: String(object.history.length - 1) }, () => undefined)
}

describe('the holder', () => {
  test('writes one after the other, each with a new nonce and the next beat', async () => {
    const object = new OneObject(FIRST)
    const holder = hold(object)
    await Promise.all(
      ['x', 'y', 'z'].map(async (reason) => holder.update((record) => ({ ...record, reason: `${record.reason ?? ''}${reason}` }))),
    )
    expect(object.record).toMatchObject({ reason: 'xyz', beat: 3 })
    expect(new Set(object.history.map(({ nonce }) => nonce)).size).toBe(4)
  })

  test('keeps a slot that a command has released because it took the machine for dead', async () => {
    const attempt = { epoch: 1, holder: 'a', start: AT }
    const object = new OneObject({ ...FIRST, attempts: [attempt] })
    const holder = hold(object)
    const released = { ...object.record, nonce: 'theirs', attempts: [{ ...attempt, lastSign: AT, reason: 'died' }], released: true }
    await object.write('slot.json', Buffer.from(JSON.stringify(released)), { version: '0' })
    await holder.update((record) => record)
    expect([object.record.attempts, 'released' in object.record]).toEqual([[attempt], false])
    await holder.update((record) => ({ ...record, state: 'interrupted', released: true }))
    await holder.update((record) => record)
    expect(object.record.released).toBe(true)
  })

  test('settles lost replies by its nonce, and writes no change twice', async () => {
    const object = new OneObject(FIRST)
    const faults: Fault[] = ['mute', 'away', 'mute', 'away', undefined, 'mute', 'away', undefined]
    const holder = hold(object, () => faults.shift())
    await holder.update((record) => ({ ...record, retried: (record.retried ?? 0) + 1 }))
    await holder.update((record) => ({ ...record, retried: (record.retried ?? 0) + 1 }))
    expect(object.record.retried).toBe(2)
    expect(object.history).toHaveLength(3)
  })

  test('adopts a write that was given up and arrived after all', async () => {
    const object = new OneObject(FIRST)
    let mute = true
    const holder = hold(object, () => (mute ? 'mute' : undefined))
    const given = new AbortController()
    const lost = holder.update((record) => ({ ...record, reason: 'late' }), given.signal)
    await nap(10)
    given.abort(new Error('given up'))
    await expect(lost).rejects.toThrow('given up')
    mute = false
    await holder.update((record) => ({ ...record, retried: 1 }))
    expect(object.record).toMatchObject({ reason: 'late', retried: 1 })
  })

  test('is fenced by a later epoch, for good, and writes nothing more', async () => {
    const object = new OneObject(FIRST)
    const holder = hold(object)
    await object.write('slot.json', Buffer.from(JSON.stringify({ ...FIRST, nonce: 'theirs', epoch: 2, holder: 'b' })))
    await expect(holder.update((record) => ({ ...record, state: 'succeeded' }))).rejects.toThrow(Fenced)
    expect(holder.fenced.aborted).toBe(true)
    await expect(holder.update((record) => record)).rejects.toThrow('b holds epoch 2, this one held 1')
    expect(object.record.nonce).toBe('theirs')
  })

  test('writes nothing over a terminal state', async () => {
    const object = new OneObject(FIRST)
    const holder = hold(object)
    await holder.update((record) => ({ ...record, state: 'succeeded' }))
    expect(await holder.update((record) => ({ ...record, state: 'failed' }))).toMatchObject({ state: 'succeeded' })
    expect(object.history).toHaveLength(2)
  })

  test('holds under random faults and takeovers: one terminal version, epochs only rise', async () => {
    await Promise.all(Array.from({ length: 100 }, async (_, seed) => storm(seed)))
  })
})

async function storm(seed: number): Promise<void> {
  const { next: random } = seeded(seed)
  const object = new OneObject(FIRST)
  const fault = (): Fault => (random() < 0.3 ? 'mute' : random() < 0.2 ? 'away' : undefined)
  const work = async (name: string): Promise<void> => {
    const before = object.record
    if (isTerminal(before.state)) return
    const version = String(object.history.length - 1)
    const taken = { ...before, nonce: randomUUID(), epoch: before.epoch + 1, holder: name }
    const mine = await object.write('slot.json', Buffer.from(JSON.stringify(taken)), { version }).catch(() => undefined)
    if (mine === undefined) return
    const holder = new Holder(faulty(object as unknown as Store, fault), 'slot.json', { record: taken, version: mine }, () => undefined)
    for (let i = 0; i < 3; i++) await holder.update((record) => ({ ...record, retried: i })).catch(() => undefined)
    await holder.update((record) => ({ ...record, state: 'succeeded', reason: name })).catch(() => undefined)
  }
  await Promise.all(['b', 'c', 'd'].map(async (name) => nap(random() * 200).then(async () => work(name))))
  const terminal = object.history.filter(({ state }) => isTerminal(state))
  expect({ seed, terminal: terminal.length }).toEqual({ seed, terminal: 1 })
  expect(object.record).toBe(terminal[0])
  const epochs = object.history.map(({ epoch }) => epoch)
  expect(epochs).toEqual([...epochs].sort((a, b) => a - b))
}

describe('a store that is out of reach', () => {
  afterEach(() => void jest.restoreAllMocks())

  /** The clock at each look; the store accepts no write. Resolves to why the script was killed, if it was. */
  async function killed(looks: readonly number[]): Promise<unknown> {
    const over = new AbortController()
    const severed = new AbortController()
    const [...left] = looks
    jest.spyOn(performance, 'now').mockImplementation(() => {
      if (left.length === 1) over.abort()
      return left.length > 1 ? left.shift()! : left[0]!
    })
    const holder = { renewedAt: 0, fenced: new AbortController().signal, idle: false } as Partial<Holder> as Holder
    const ending = { severed: severed.signal, closing: false, engaged: false, sever: (why: Error) => severed.abort(why) } as Ending
    await keepBeating(holder, { beat: 4, ttl: 1, storeGrace: 10_000 }, ending, over.signal)
    return severed.signal.aborted ? severed.signal.reason : undefined
  }

  test('is waited for as long as the grace says, but the sleep of a computer whose clock goes on meanwhile is no outage', async () => {
    expect(await killed([0, 5000, 9000, 11_000, 12_000, 12_000])).toMatchObject({ name: 'StoreLost' })
    const night = 8 * 3_600_000
    expect(await killed([0, 5000, night, night + 5000, night + 5000])).toBeUndefined()
  })
})
