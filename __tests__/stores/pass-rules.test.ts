/** What a machine's pass opens: its own slot and what all machines must know, but nothing of others. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { walled } from '../../src/stores/pass-rules.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import { passFor, passIn } from '../../src/wire/pass.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import { type Incoming, type Store, StoreError } from '../../src/wire/store.ts'
import { fault, keysOf, textAt } from '../conformance/store-lab.ts'
import { scratch } from '../setup/scratch.ts'
import { until } from '../setup/wait.ts'
import { AT, COMMON, RELAUNCH, RUNNER, TASK } from '../wire/specs.ts'

const place = scratch('tpi-wall-')
afterAll(() => rmSync(place, { recursive: true, force: true }))

const ID = 'tpi-w-0123456789'
const keys = layout(ID, 'one')
const others = layout(ID, 'two')
const neighbours = layout('tpi-n-0123456789', 'one')
const bytes = (text: string): Uint8Array => Buffer.from(text)
const put = async (key: string, value: object): Promise<unknown> => behind.write(key, bytes(JSON.stringify(value)))
const slot = (index: number, more: Partial<SlotRecord> = {}): SlotRecord => ({ ...newSlot(index, 'n', AT), ...more })

let behind: Store
let mine: Store
let folders = 0

/** Three slots; the pass is for the second. */
async function deployment(spec: object): Promise<void> {
  folders += 1
  behind = await openStore({ url: `dir://${join(place, String(folders))}` })
  for (const { root } of [keys, others, neighbours]) await behind.init(root)
  for (const index of [0, 1, 2]) await put(keys.slot(index).record, slot(index))
  await put(keys.spec, { ...COMMON, v: 2, id: ID, name: 'w', incarnation: 'one', createdAt: AT, origin: {}, count: 3, ...spec })
  for (const key of [...SHARED, ...THEIRS, ...OWN]) await behind.write(key, bytes(key)).catch(() => undefined)
  mine = walled(behind, { id: ID, incarnation: 'one', slot: 1 })
}

/** The store behind the rules; `before` runs before each read. */
const reading = (before: (key: string) => Promise<void>): Store => ({
  url: behind.url,
  init: async (...of) => behind.init(...of),
  clear: async (...of) => behind.clear(...of),
  list: (...of) => behind.list(...of),
  write: async (...of) => behind.write(...of),
  remove: async (...of) => behind.remove(...of),
  async read(...of) {
    await before(of[0])
    return await behind.read(...of)
  },
})

const TASK_SPEC = { mode: 'task', ...TASK }
const RUNNER_SPEC = { mode: 'runner', runner: { ...RUNNER, supply: 3, relaunch: { ...RELAUNCH, retry: 0 } } }

const SHARED = [currentKey(ID), keys.control, keys.agent('digest'), `${keys.agent('digest')}.0`, `${keys.base}pack`, keys.secrets]
const OWN = [keys.slot(1).segment(1, 1), keys.slot(1).sample(1, 1), `${keys.slot(1).folder}snap/pack`, keys.registration(1)]
const THEIRS = [
  [0, 2, 10, 11].flatMap((index) => [keys.slot(index).segment(1, 1), `${keys.slot(index).folder}snap/x`, keys.registration(index)]),
  [keys.once(0, 0), keys.once(2, 0), keys.once(10, 0), keys.once(11, 0)],
  [keys.collected, keys.settled, `${keys.controllers}c`, `${keys.root}secrets/other`, `${keys.root}unknown`],
  [others.spec, others.secrets, others.slot(1).record, others.once(1, 0), others.slot(1).segment(1, 1)],
  [currentKey('tpi-n-0123456789'), neighbours.slot(1).record, neighbours.secrets],
].flat()

beforeEach(async () => deployment(TASK_SPEC))

describe('a machine', () => {
  test('reads what all machines must know, the record of every slot, and everything of its own', async () => {
    for (const key of [...SHARED, ...OWN]) expect(await textAt(mine, key)).toBe(key)
    for (const index of [0, 1, 2]) expect(JSON.parse((await textAt(mine, keys.slot(index).record)) ?? '')).toMatchObject({ index })
    expect(await keysOf(mine, keys.slot(1).log)).toEqual([keys.slot(1).segment(1, 1)])
  })

  test('reads, writes and removes nothing else', async () => {
    for (const key of THEIRS) {
      await expect(mine.read(key)).rejects.toEqual(fault('denied'))
      await expect(mine.write(key, bytes('forged'))).rejects.toEqual(fault('denied'))
      await expect(mine.remove([keys.slot(1).segment(9, 9), key])).rejects.toEqual(fault('denied'))
      expect(await textAt(behind, key)).not.toBe('forged')
    }
    for (const key of [...SHARED, keys.spec, keys.slot(0).record, keys.once(1, 0)]) {
      await expect(mine.write(key, bytes('forged'))).rejects.toEqual(fault('denied'))
      await expect(mine.write(key, bytes('forged'), { absent: true })).rejects.toEqual(fault('denied'))
    }
    for (const key of [...SHARED, keys.spec, keys.slot(0).record, keys.slot(1).record])
      await expect(mine.remove([key])).rejects.toEqual(fault('denied'))
  })

  test('lists only its own slot, and creates and clears nothing', async () => {
    for (const prefix of ['', ID, keys.root, `${keys.root}slots/`, `${keys.root}slots/1`, keys.slot(10).folder, `${keys.root}secrets/`])
      expect(() => mine.list(prefix)).toThrow(expect.objectContaining({ kind: 'denied' }))
    for (const prefix of [keys.root, keys.slot(1).folder, others.root]) {
      await expect(mine.clear(prefix)).rejects.toEqual(fault('denied'))
      await expect(mine.init(prefix)).rejects.toEqual(fault('denied'))
    }
  })

  test('writes and removes only its own objects', async () => {
    await mine.write(keys.slot(1).segment(1, 2), bytes('a line'), { absent: true })
    expect(await textAt(behind, keys.slot(1).segment(1, 2))).toBe('a line')
    await mine.remove([keys.slot(1).segment(1, 2)])
    expect(await textAt(behind, keys.slot(1).segment(1, 2))).toBeUndefined()
  })

  test('replaces its record only by a valid one of its own slot, small or large', async () => {
    const { record } = keys.slot(1)
    for (const body of ['no record', JSON.stringify(slot(0)), '{}']) {
      await expect(mine.write(record, bytes(body))).rejects.toThrow()
      await expect(mine.writeFrom?.(record, incoming(body))).rejects.toThrow()
      expect(JSON.parse((await textAt(behind, record)) ?? '')).toMatchObject({ index: 1, state: 'waiting' })
    }
    const head = (at: string) => ({ digest: 'a'.repeat(64), at, epoch: 1, savedAt: AT, quiet: true, files: 1, bytes: 1 })
    for (const name of ['head', 'lastQuiet', 'previous']) {
      // A snapshot elsewhere could not be read by the slot's next machine, so others must not take it for the slot's own.
      const stray = JSON.stringify(slot(1, { [name]: head('slots/2/snap/') }))
      await expect(mine.write(record, bytes(stray))).rejects.toEqual(fault('denied'))
      for (const at of ['base/', 'slots/1/snap/']) await mine.write(record, bytes(JSON.stringify(slot(1, { [name]: head(at) }))))
    }
    const large = JSON.stringify(slot(1, { outputs: { text: 'x'.repeat(100_000) } }))
    await mine.writeFrom?.(record, incoming(large))
    expect(await textAt(behind, record)).toBe(large)
  })
})

function incoming(text: string): Incoming {
  const body = bytes(text)
  async function* halves(): AsyncGenerator<Uint8Array> {
    yield body.subarray(0, 10)
    yield body.subarray(10)
  }
  return { size: body.length, pieces: halves() }
}

describe('a machine of runners', () => {
  const credential = (k: number): string => keys.once(1, k)

  beforeEach(async () => {
    await deployment(RUNNER_SPEC)
    for (const k of [0, 1, 2]) await behind.write(credential(k), bytes('token'))
  })

  test('gets a credential once its record has claimed it, and removes that one', async () => {
    await expect(mine.read(credential(0))).rejects.toEqual(fault('denied'))
    await expect(mine.remove([credential(0)])).rejects.toEqual(fault('denied'))
    await mine.write(keys.slot(1).record, bytes(JSON.stringify(slot(1, { claimed: 2 }))))
    for (const k of [0, 1]) expect(await textAt(mine, credential(k))).toBe('token')
    await mine.remove([credential(0)])
    await expect(mine.read(credential(2))).rejects.toEqual(fault('denied'))
    for (const name of [`${credential(0)}/x`, `${keys.root}secrets/once/1-00`, `${keys.root}secrets/once/1-1e0`])
      await expect(mine.read(name)).rejects.toEqual(fault('denied'))
  })

  test('removes the leftovers of its closed slot', async () => {
    const left = [credential(0), credential(1), credential(2), keys.registration(1)]
    await expect(mine.remove(left)).rejects.toEqual(fault('denied'))
    await mine.write(keys.slot(1).record, bytes(JSON.stringify(slot(1, { state: 'stopped' }))))
    await mine.remove(left)
    expect(await keysOf(behind, `${keys.root}secrets/once/1-`)).toEqual([])
  })
})

test('however many keys a machine wants to remove, the facts for the decision are read once', async () => {
  const read: string[] = []
  const counted = walled(
    reading(async (key) => void read.push(key)),
    { id: ID, incarnation: 'one', slot: 1 },
  )
  const many = Array.from({ length: 100 }, (_, number) => [keys.agent(`x${number}`), keys.once(1, number)]).flat()
  await expect(counted.remove([...many, keys.spec])).rejects.toEqual(fault('denied'))
  expect(read).toEqual([])
  await expect(counted.remove(many)).rejects.toEqual(fault('denied'))
  for (const index of [0, 1, 2]) await put(keys.slot(index).record, slot(index, { state: 'stopped' }))
  await counted.remove(many)
  const looks = [keys.spec, ...[0, 1, 2].map((index) => keys.slot(index).record)]
  expect(read.sort()).toEqual([...looks, ...looks, keys.slot(1).record].sort())
})

describe('the close of a slot', () => {
  const close = async (index: number, state: SlotRecord['state']): Promise<unknown> =>
    walled(behind, { id: ID, incarnation: 'one', slot: index }).write(
      keys.slot(index).record,
      bytes(JSON.stringify(slot(index, { state }))),
    )

  test('removes the secrets with the last one, and allows the removal of large objects', async () => {
    const program = `${keys.agent('digest')}.0`
    await close(1, 'failed')
    await close(0, 'succeeded')
    expect(await textAt(mine, keys.secrets)).toBeDefined()
    await expect(mine.remove([program])).rejects.toEqual(fault('denied'))
    await close(2, 'interrupted')
    expect(await textAt(mine, keys.secrets)).toBeDefined()
    await close(2, 'stopped')
    expect(await textAt(behind, keys.secrets)).toBeUndefined()
    await mine.remove([program, keys.secrets])
    expect(await textAt(behind, program)).toBeUndefined()
  })

  test('stops its siblings with fail-fast, and no machine writes the request itself', async () => {
    await put(keys.control, { v: 2, nonce: 'n' })
    await close(0, 'failed')
    expect(JSON.parse((await textAt(behind, keys.control)) ?? '')).not.toHaveProperty('stop')
    await deployment({ ...TASK_SPEC, failFast: true })
    await put(keys.control, { v: 2, nonce: 'n' })
    await expect(mine.write(keys.control, bytes('{}'))).rejects.toEqual(fault('denied'))
    await close(0, 'failed')
    expect(JSON.parse((await textAt(mine, keys.control)) ?? '')).toMatchObject({ stop: { by: 'fail-fast' } })
  })

  test.each([keys.spec, keys.control, keys.slot(1).record])('has its effects after an outage of the store for %s', async (key) => {
    await deployment({ ...TASK_SPEC, failFast: true, count: 2 })
    await put(keys.slot(1).record, slot(1, { state: 'succeeded' }))
    await put(keys.control, { v: 2, nonce: 'n' })
    let failures = 1
    const away = reading(async (what) => {
      if (what === key && failures-- > 0) throw new StoreError('unavailable', 'storage: away')
    })
    const { record } = keys.slot(0)
    // The machine does not wait for these effects, because it has ended.
    await walled(away, { id: ID, incarnation: 'one', slot: 0 }).write(record, bytes(JSON.stringify(slot(0, { state: 'failed' }))))
    const isDone = async (): Promise<boolean> =>
      ((await textAt(behind, keys.control)) ?? '').includes('fail-fast') && (await textAt(behind, keys.secrets)) === undefined
    await until('a stop is asked for and the secrets are gone', isDone)
  })
})

test('a pass is valid for what it names, and only unchanged', () => {
  const of = { id: ID, incarnation: 'one', slot: 1 }
  const pass = passFor('key', of)
  expect(passIn('key', pass)).toEqual(of)
  const other = passFor('key', { ...of, slot: 2 })
    .split('/')
    .at(-1)
  for (const forged of [
    pass.replace('/1/', '/2/'),
    pass.replace('/1/', '/01/'),
    `${pass} `,
    pass.replace('one', 'two'),
    `${ID}/one/1/${other}`,
    '',
  ])
    expect(passIn('key', forged)).toBeUndefined()
  expect(passIn('another', pass)).toBeUndefined()
})
