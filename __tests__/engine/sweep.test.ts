/** Which leftovers a sweep finds that only the store knows. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud, Found } from '../../src/core/cloud.ts'
import { LeftOutError } from '../../src/core/tags.ts'
import { findAbandoned, tidyStores } from '../../src/engine/destroy/sweep.ts'
import type { OpenCloud } from '../../src/engine/find.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey } from '../../src/wire/layout.ts'
import type { CurrentRecord } from '../../src/wire/records.ts'
import type { Store } from '../../src/wire/store.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { scratch } from '../setup/scratch.ts'
import { dyingStore } from '../storm/dying.ts'

interface Scene {
  readonly clock: ReturnType<typeof fakeClock>
  record(changes: Partial<CurrentRecord>): Promise<void>
  found(): Promise<{ id: string; reason: string }[]>
  /** Renews the record after this many milliseconds. */
  beats(after: number, changes: Partial<CurrentRecord>): void
  put(key: string): Promise<void>
  /** Adds a group that the cloud lists, with its own store. */
  group(tags: { readonly id: string; readonly deadline: string; readonly phase: Found['phase'] }): void
  broken(...ids: readonly string[]): void
  /** From now on there is a second cloud, which does not answer, and the store is a named one. */
  hiding(): void
  /** From now on the cloud has a group that another version of tpi has made. */
  leavingOut(id: string): void
  /** From now on the cloud cannot say in which other regions it has stores. */
  throttled(): void
  readonly failures: unknown[]
}

async function scene(at: string, act: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = scratch('tpi-sweep-')
  try {
    const place = { url: `dir://${folder}` }
    const store = await openStore(place)
    const base: CurrentRecord = {
      v: 2,
      nonce: 'n',
      id: 'tpi-r-0123456789',
      name: 'r',
      incarnation: 'i',
      createdAt: '2029-12-31T12:00:00.000Z',
      origin: { repository: 'github.com/octo/hello' },
      state: 'open',
    }
    const groups: Found[] = []
    const away = new Set<string>()
    const failures: unknown[] = []
    const clouds: OpenCloud[] = []
    const cloud = { list: async () => groups, store: async () => place } as unknown as Cloud
    const clock = fakeClock(at, { auto: true })
    clouds.push({ id: 'one', cloud })
    const engine = { host: memoryHost(), clock, home: folder, actor: 'ann@box' }
    const record = async (changes: Partial<CurrentRecord>): Promise<void> =>
      void (await store.write(currentKey(changes.id ?? base.id), Buffer.from(JSON.stringify({ ...base, ...changes }))))
    let beat: { at: number; changes: Partial<CurrentRecord> } | undefined
    const living = dyingStore(store, {
      async through(_name, read) {
        if (beat && clock.now() >= beat.at) await record({ ...beat.changes, nonce: 'renewed' })
        return read()
      },
    })
    await act({
      clock,
      record,
      failures,
      async put(key) {
        const root = key.split('/').slice(0, 2)
        if (key.split('/').length > 3) await store.init(`${root.join('/')}/`)
        await store.write(key, Buffer.from('notes'))
      },
      group: ({ id, deadline, phase }) =>
        void groups.push({
          phase,
          tags: {
            id,
            name: id,
            incarnation: 'i',
            mode: 'task',
            createdAt: '2029-12-31T12:00:00.000Z',
            origin: {},
            store: { url: `s3://${id}` },
            lifetime: { deadline, grace: 30, reserve: 300, retention: 3600 },
          },
        } as unknown as Found),
      broken: (...ids) => {
        for (const id of ids) away.add(`s3://${id}`)
      },
      hiding() {
        const list = async (): Promise<never> => {
          throw new Error('no answer')
        }
        // Each deployment of the first cloud has its own store, so only the named one is searched.
        clouds.splice(0, 1, { id: 'one', cloud: { ...cloud, isOwn: () => true } })
        clouds.push({ id: 'two', cloud: { list } as unknown as Cloud })
      },
      leavingOut(id) {
        const list: Cloud['list'] = async (lost) => {
          lost?.(id, new LeftOutError('it was written by a newer version'))
          return groups
        }
        clouds.splice(0, 1, { id: 'one', cloud: { ...cloud, list } })
      },
      throttled() {
        const otherStores = async (): Promise<never> => {
          throw new Error('DescribeRegions: slow down')
        }
        clouds.splice(0, 1, { id: 'one', cloud: { ...cloud, otherStores } })
      },
      beats: (after, changes) => (beat = { at: clock.now() + after, changes }),
      found: async () => {
        const access = async ({ url }: { readonly url: string }): Promise<Store> => {
          if (away.has(url)) throw new Error('no such bucket')
          return living
        }
        const limits = { named: clouds.length > 1 ? place : undefined, ttl: 60_000, failed: (error: unknown) => void failures.push(error) }
        const all = await findAbandoned(engine, clouds, access, limits)
        return all.map(({ d: { id }, reason }) => ({ id, reason }))
      },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('runners whose restart was cut off are left to the next retry, as long as jobs wait for them', async () => {
  await scene('2030-01-01T23:00:00.000Z', async ({ clock, record, found }) => {
    const relaunch = { since: '2030-01-01T00:00:00.000Z', labels: [], request: {}, repositories: [] }
    await record({ state: 'destroying', relaunch })
    expect(await found()).toEqual([])
    clock.jump(2 * 60 * 60_000)
    expect(await found()).toEqual([{ id: 'tpi-r-0123456789', reason: 'its removal was never finished' }])
  })
})

const REMOVAL = { id: 'tpi-r-0123456789', reason: 'its removal was never finished' }
const CREATION = { id: 'tpi-r-0123456789', reason: 'its creation was never finished' }

test('a removal that nobody continues is found after one silence', async () => {
  await scene('2029-12-31T12:05:00.000Z', async ({ clock, record, found }) => {
    await record({ state: 'destroying' })
    const began = clock.now()
    expect(await found()).toEqual([REMOVAL])
    expect(clock.now() - began).toBeGreaterThanOrEqual(60_000)
  })
})

test('a creation is found after the silence that its controller recorded; if that is not on record, after an hour', async () => {
  await scene('2029-12-31T12:05:00.000Z', async ({ clock, record, found }) => {
    await record({ state: 'making', ttl: 300_000 })
    const began = clock.now()
    expect(await found()).toEqual([CREATION])
    expect(clock.now() - began).toBeGreaterThanOrEqual(300_000)
    await record({ state: 'making' })
    expect(await found()).toEqual([])
    clock.jump(2 * 60 * 60_000)
    expect(await found()).toEqual([CREATION])
  })
})

test('a single sign of life keeps a run that is being made or removed, and its end is not waited for', async () => {
  await scene('2029-12-31T12:05:00.000Z', async ({ clock, record, found, beats }) => {
    for (const doing of [{ state: 'making', ttl: 60_000 }, { state: 'destroying' }] as const) {
      await record(doing)
      const began = clock.now()
      beats(20_000, doing)
      expect(await found()).toEqual([])
      expect(clock.now() - began).toBeLessThan(30_000)
    }
  })
})

test('a creation that takes longer than an hour is listened to like any other', async () => {
  await scene('2030-01-01T12:00:00.000Z', async ({ clock, record, found, beats, group }) => {
    const slow = { state: 'making', ttl: 60_000 } as const
    await record(slow)
    beats(20_000, slow)
    expect(await found()).toEqual([])
    expect(clock.now()).toBeLessThan(30_000 + Date.parse('2030-01-01T12:00:00.000Z'))
    expect(await found()).toEqual([CREATION])
    // The visible group of the former run may be of any age.
    group({ id: CREATION.id, deadline: '2030-01-02T12:00:00.000Z', phase: 'stopped' })
    await record({ ...slow, createdAt: '2030-01-01T11:59:00.000Z' })
    beats(20_000, { ...slow, createdAt: '2030-01-01T11:59:00.000Z' })
    expect(await found()).toEqual([])
  })
})

test('silences are waited for at the same time', async () => {
  await scene('2029-12-31T12:05:00.000Z', async ({ clock, record, found }) => {
    const ids = Array.from({ length: 5 }, (_, n) => `tpi-r-000000000${n}`)
    for (const id of ids) await record({ id, state: 'destroying' })
    const began = clock.now()
    expect((await found()).map(({ id }) => id)).toEqual(ids)
    expect(clock.now() - began).toBeLessThan(2 * 60_000)
  })
})

test('what is not a deployment of tpi, at the top of a store or in folders, is ignored', async () => {
  await scene('2029-12-31T12:05:00.000Z', async ({ put, record, found }) => {
    for (const key of ['tpi-notes.txt', 'tpi-a', 'tpi-a.txt', 'tpi-zz/notes.txt', 'tpi-zz/more.txt', 'tpi-z']) await put(key)
    await record({ state: 'destroying' })
    expect(await found()).toEqual([REMOVAL])
  })
})

test('what a machine stored after the removal is found, under a name without a record', async () => {
  await scene('2029-12-31T12:05:00.000Z', async ({ put, found }) => {
    await put('tpi-r-0123456789/5747261790/slots/0/slot.json')
    await put('tpi-r-0123456789/notes/of/mine.txt')
    expect(await found()).toEqual([{ id: 'tpi-r-0123456789', reason: 'stored (5747261790), but in no record' }])
  })
})

test('a store that cannot be read does not hide the others, and is reported', async () => {
  await scene('2030-01-01T12:00:00.000Z', async ({ record, found, group, broken, failures }) => {
    await record({ state: 'destroying' })
    group({ id: 'tpi-lost-0123456789', deadline: '2029-12-31T13:00:00.000Z', phase: 'up' })
    group({ id: 'tpi-late-0123456789', deadline: '2029-12-31T14:00:00.000Z', phase: 'stopped' })
    group({ id: 'tpi-young-0123456789', deadline: '2030-01-02T12:00:00.000Z', phase: 'up' })
    broken('tpi-lost-0123456789', 'tpi-late-0123456789', 'tpi-young-0123456789')
    expect(await found()).toEqual([
      { id: 'tpi-lost-0123456789', reason: 'machines past their deadline 2029-12-31T13:00:00.000Z' },
      { id: 'tpi-late-0123456789', reason: expect.stringMatching(/^kept until .*, and its store does not answer$/) },
      REMOVAL,
    ])
    expect(failures).toEqual([expect.objectContaining({ message: 'no such bucket' })])
  })
})

test('while one cloud does not answer, the others are swept; what a named store holds may belong to it', async () => {
  await scene('2030-01-01T12:00:00.000Z', async ({ record, found, group, hiding, failures }) => {
    await record({ state: 'destroying' })
    group({ id: 'tpi-late-0123456789', deadline: '2029-12-31T13:00:00.000Z', phase: 'up' })
    hiding()
    expect(await found()).toEqual([{ id: 'tpi-late-0123456789', reason: 'machines past their deadline 2029-12-31T13:00:00.000Z' }])
    expect(failures).toEqual([expect.objectContaining({ message: 'no answer' })])
  })
})

test('what another version of tpi has made is reported and not touched; everything else is swept', async () => {
  await scene('2029-12-31T12:05:00.000Z', async ({ record, put, found, leavingOut, failures }) => {
    await record({ state: 'destroying' })
    const id = 'tpi-new-0123456789'
    await record({ id, v: 3 } as unknown as Partial<CurrentRecord>)
    await put(`${id}/i/log/0`)
    leavingOut(id)
    expect(await found()).toEqual([REMOVAL])
    expect(failures).toEqual([new LeftOutError('it was written by a newer version'), expect.objectContaining({ kind: 'corrupt' })])
  })
})

test('if a cloud cannot say in which other regions it has stores, that is reported, and what was found stays', async () => {
  await scene('2029-12-31T12:05:00.000Z', async ({ record, found, throttled, failures }) => {
    await record({ state: 'destroying' })
    throttled()
    expect(await found()).toEqual([REMOVAL])
    expect(failures.map(String)).toEqual(['Error: DescribeRegions: slow down'])
  })
})

test('leftovers of a record from a killed removal, which no list shows, are removed all the same; a current record stays', async () => {
  const folder = scratch('tpi-sweep-')
  try {
    const place = { url: `dir://${folder}` }
    const store = await openStore(place)
    const version = await store.write(currentKey('tpi-b'), Buffer.from('0'), { absent: true })
    await store.write(currentKey('tpi-b'), Buffer.from('1'), { version })
    mkdirSync(join(folder, 'tpi-a', 'current.json%v'), { recursive: true })
    const cloud = { store: async () => place } as unknown as Cloud
    await tidyStores([{ id: 'one', cloud }], async () => store, {})
    expect(readdirSync(folder)).toEqual(['tpi-b'])
    expect(Buffer.from((await store.read(currentKey('tpi-b')))?.bytes ?? []).toString()).toBe('1')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
