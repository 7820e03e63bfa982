/** A creation whose store or cloud is away for a while, or permanently. */
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import type { Cloud, MachineSpec, StoreSetup } from '../../src/core/cloud.ts'
import { RemoteError } from '../../src/core/errors.ts'
import type { Resource } from '../../src/core/resource.ts'
import { createDeployment, type ModePart } from '../../src/engine/create/create.ts'
import { setUpStore } from '../../src/engine/create/store-setup.ts'
import { currentOf } from '../../src/engine/owner/silence.ts'
import { storeServer } from '../../src/stores/http/server.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import { VERSION } from '../../src/wire/parse.ts'
import type { CommonSpec, Spec } from '../../src/wire/spec.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { closed, listening } from '../setup/listening.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { scratch } from '../setup/scratch.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

/** A creation that fails once its store is set up. Resolves to the resources that are left, and how often machines were started ahead. */
async function givenUp(before: readonly string[]): Promise<{ readonly left: readonly string[]; readonly ahead: number }> {
  const folder = scratch('tpi-create-')
  try {
    const there = new Set(before)
    const resource = (name: string): Resource => ({
      kind: 'store',
      name,
      async ensure() {
        if (there.has(name)) return 'found'
        there.add(name)
        return 'created'
      },
      async remove() {
        return there.delete(name) ? 'removed' : 'absent'
      },
    })
    let ahead = 0
    const setup: StoreSetup = {
      stages: [[resource('root')], [resource('claim'), { ...resource('bucket'), shared: true }]],
      ahead: async () => {
        ahead += 1
        return []
      },
    }
    const cloud = { isOwn: () => true, storeSetup: async () => setup, leftovers: async () => [] } as unknown as Cloud
    const store = await openStore({ url: `dir://${folder}` })
    const engine = { host: memoryHost(), clock: fakeClock(undefined, { auto: true }), home: folder, actor: 'ann@box' }
    const away = new StoreError('unavailable', 'away for a moment')
    const making = {
      draft: () => ({ createdAt: '2030-01-01T00:00:00.000Z', lease: { beat: 1000, ttl: 2000 } }),
      machines: () => ({}),
      former: async () => {
        throw away
      },
    } as unknown as ModePart<Spec, CommonSpec, void>
    const parts = {
      origin: {},
      storeAccess: { url: store.url },
      agent: { bytes: new Uint8Array(), digest: '' },
      signal: new AbortController().signal,
    }
    const place = { cloudId: 'one', cloud, store, id: 'tpi-x-0123456789', name: 'x' }
    await expect(createDeployment(engine, place, parts, making)).rejects.toBe(away)
    return { left: [...there], ahead }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('what was made for its store is removed, except what others may use by now', async () => {
  expect(await givenUp([])).toEqual({ left: ['bucket'], ahead: 1 })
})

test('existing parts of its store stay, and in a store that others know no machine is started before the name is taken', async () => {
  expect(await givenUp(['root', 'claim'])).toEqual({ left: ['root', 'claim', 'bucket'], ahead: 0 })
  expect(await givenUp(['claim'])).toEqual({ left: ['claim', 'bucket'], ahead: 1 })
})

describe('a store that does not answer', () => {
  /** What the command says until it gives up. `events`: what the cloud reports at each look. */
  async function waitedFor({ runs, events }: { runs: boolean | undefined; events: readonly (readonly string[])[] }) {
    const host = memoryHost()
    const engine = { host, clock: fakeClock(undefined, { auto: true }), home: '', actor: 'ann@box' }
    const away = new StoreError('unavailable', 'error trying to reach service: dial tcp 10.0.0.7:7070: i/o timeout')
    let looks = 0
    const seen = async () => (events[Math.min(looks++, events.length - 1)] ?? []).map((text) => ({ at: '', kind: 'info' as const, text }))
    const starting = { events: seen, runs: () => runs, unreached: 'usually a firewall' }
    const cloud = { storeSetup: async () => ({ stages: [], starting }) } as unknown as Cloud
    const store = { read: async () => Promise.reject(away) } as unknown as Store
    const d = { id: 'tpi-x-0123456789', incarnation: 'one', name: 'x', cloud, store }
    const error = await setUpStore(engine, d, {} as MachineSpec, new AbortController().signal).catch((problem: unknown) => problem)
    return { error: String(error), lines: host.lines }
  }

  test('is asked now and then although its cloud does not say that it runs, because that may be old news', async () => {
    const clock = fakeClock(undefined, { auto: true })
    const starting = { events: async () => [], runs: () => false, unreached: '' }
    const cloud = { storeSetup: async () => ({ stages: [], starting }) } as unknown as Cloud
    const store = { read: async () => undefined } as unknown as Store
    const d = { id: 'tpi-x-0123456789', incarnation: 'one', name: 'x', cloud, store }
    const engine = { host: memoryHost(), clock, home: '', actor: 'ann@box' }
    const begun = clock.now()
    await setUpStore(engine, d, {} as MachineSpec, new AbortController().signal)
    expect(clock.now() - begun).toBeLessThan(10_000)
  })

  test.each([false, undefined])('is not taken for an empty one while there is no way to it yet (it runs: %s)', async (runs) => {
    const server = storeServer({ store: memoryStore(), token: 'secret' })
    const [inner] = server.listeners('request') as ((...args: unknown[]) => void)[]
    let asked = 0
    const proxy = createServer((request, response) => {
      asked += 1
      if (asked > 3) inner?.(request, response)
      else response.writeHead(404).end(JSON.stringify({ kind: 'Status', message: 'endpoints "tpi-x-0123456789" not found' }))
    })
    const store = await openStore({ url: `http://127.0.0.1:${await listening(proxy)}/`, credentials: { token: 'secret' } })
    try {
      const starting = { events: async () => [], runs: () => runs, unreached: '' }
      const cloud = { storeSetup: async () => ({ stages: [], starting }) } as unknown as Cloud
      const d = { id: 'tpi-x-0123456789', incarnation: 'one', name: 'x', cloud, store }
      const engine = { host: memoryHost(), clock: fakeClock(undefined, { auto: true }), home: '', actor: 'ann@box' }
      await setUpStore(engine, d, {} as MachineSpec, new AbortController().signal)
      await store.write(currentKey(d.id), new Uint8Array(1), { absent: true })
    } finally {
      await store.close?.()
      await closed(proxy)
    }
  })

  test('although it runs: why, after a moment and at the end', async () => {
    const { error, lines } = await waitedFor({ runs: true, events: [] })
    const why = /it runs, but does not answer: error trying to reach service: dial tcp 10\.0\.0\.7:7070: i\/o timeout; usually a firewall$/
    expect(error).toMatch(why)
    expect(lines.filter((line) => why.test(line))).toHaveLength(1)
  })

  test.each([false, undefined])(
    'what the cloud reports is told once, also if something comes before it later (it runs: %s)',
    async (runs) => {
      const { error, lines } = await waitedFor({
        runs,
        events: [
          ['one', 'slow'],
          ['one', 'one', 'two', 'slow'],
        ],
      })
      expect(lines).toEqual(['info: store: one', 'info: store: slow', 'info: store: two'])
      expect(error).toMatch(/does not start: slow$/)
    },
  )
})

/** Milliseconds. */
const BEAT = 1e9
/** A digest. */
const RUNTIME = 'b'.repeat(64)

/** Records the calls to store and cloud by name; after the first `from` calls, none gets an answer for a minute. */
function away(from: number, clock: { now(): number }): { asked: string[]; call: <T>(name: string, act: () => Promise<T>) => Promise<T> } {
  const asked: string[] = []
  let until: number | undefined
  return {
    asked,
    async call(name, act) {
      if (asked.push(name) > from) until ??= clock.now() + 60_000
      if (until !== undefined && clock.now() < until) throw new RemoteError(`no answer to ${name}`, { retryable: true })
      return act()
    },
  }
}

interface Made {
  readonly asked: readonly string[]
  readonly size: number
  readonly lines: readonly string[]
  readonly current: unknown
  readonly runtime: string
}

/** A clock that moves by itself whenever somebody waits, except for heartbeats, which would move it by hours. */
function withoutBeats(): FakeClock {
  const clock = fakeClock(undefined, { auto: true })
  const never = async (signal?: AbortSignal): Promise<void> =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
  return { ...clock, sleep: async (time, signal) => (time < BEAT ? clock.sleep(time, signal) : never(signal)) }
}

/** `signal`: of the command. `late`: what another command does between the last look at the store and the start of the machines. */
async function createdWhileAway(
  from: number,
  signal = new AbortController().signal,
  late: (store: Store) => Promise<void> = async () => undefined,
): Promise<Made> {
  const folder = scratch('tpi-create-')
  try {
    const clock = withoutBeats()
    const { asked, call } = away(from, clock)
    let size = 0
    const group: Resource = {
      kind: 'group',
      name: 'g',
      ensure: async () => call('ensure', async () => 'created' as const),
      remove: async () => 'absent',
    }
    const turns = ['pending', 'pending', 'created'] as const
    let turn = 0
    const common: Resource = {
      ...group,
      kind: 'bucket',
      shared: true,
      ensure: async () => call('share', async () => turns[turn++] ?? 'found'),
    }
    const cloud = {
      storeSetup: async () => ({ stages: [[common]] }),
      programs: async () => call('programs', async () => [{ digest: RUNTIME, bytes: async () => Buffer.from('runtime'), shared: true }]),
      blueprint: async () => [[group]],
      leftovers: async () => [],
      observe: async () => ({ phase: 'absent', wanted: 0, machines: [], events: [] }),
      start: async ({ tags }: MachineSpec) =>
        call('start', async () => {
          await late(behind)
          size = tags.count
        }),
      end: async () =>
        call('end', async () => {
          size = 0
        }),
    } as unknown as Cloud
    const behind = await openStore({ url: `dir://${folder}` })
    const store: Store = {
      url: behind.url,
      init: (prefix) => call('init', () => behind.init(prefix)),
      read: (key, range) => call('read', () => behind.read(key, range)),
      // The answer is lost, but the write was carried out.
      write: (key, body, condition) => {
        const written = behind.write(key, body, condition)
        written.catch(() => undefined)
        return call('write', () => written)
      },
      copy: (from, to) =>
        call('copy', async () => {
          const found = await behind.read(from)
          if (found) await behind.write(to, found.bytes)
          return found !== undefined
        }),
      list: (prefix) => behind.list(prefix),
      remove: (keys) => behind.remove(keys),
      clear: (prefix) => behind.clear(prefix),
    }
    const host = memoryHost()
    const spec = { count: 2, createdAt: '2030-01-01T00:00:00.000Z', lease: { beat: BEAT, ttl: 2 * BEAT } }
    const making = {
      draft: () => spec,
      machines: () => ({ tags: spec }),
      former: async () => undefined,
      supply: async () => undefined,
      complete: async () => ({ spec }),
      entrust: async () => void asked.push('entrust'),
    } as unknown as ModePart<Spec, CommonSpec, void>
    const agent = { bytes: new Uint8Array(), digest: 'a'.repeat(64) }
    const parts = { origin: {}, storeAccess: { url: store.url }, agent, signal }
    const place = { cloudId: 'one', cloud, store, id: 'tpi-x-0123456789', name: 'x' }
    await createDeployment({ host, clock, home: folder, actor: 'ann@box' }, place, parts, making)
    const read = async (key: string): Promise<string> => Buffer.from((await behind.read(key))?.bytes ?? '').toString()
    const current = JSON.parse(await read(currentKey(place.id))) as { readonly incarnation: string }
    const runtime = await read(layout(place.id, current.incarnation).agent(RUNTIME))
    return { asked, size, lines: host.lines, current, runtime }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('secrets are written last before machines start', async () => {
  const { asked } = await createdWhileAway(Number.POSITIVE_INFINITY)
  expect(asked.indexOf('entrust')).toBe(asked.indexOf('start') - 1)
})

test('shared resources exist before the name is taken, and what machines fetch exists before they start', async () => {
  const { asked, runtime } = await createdWhileAway(Number.POSITIVE_INFINITY)
  // It is pending for two more looks.
  expect(asked.slice(0, 4).map((one) => one === 'share')).toEqual([true, true, true, false])
  expect(asked.indexOf('programs')).toBeLessThan(asked.indexOf('start'))
  expect(runtime).toBe('runtime')
})

test('an account without any storage yet has no deployment of this name', async () => {
  const store = { read: async () => Promise.reject(new StoreError('gone', 'no such bucket')) } as unknown as Store
  const cloud = { storeSetup: async () => ({ stages: [] }) } as unknown as Cloud
  expect(await currentOf({ cloud, store, id: 'tpi-x-0123456789' })).toBeUndefined()
  await expect(currentOf({ cloud: {} as Cloud, store, id: 'tpi-x-0123456789' })).rejects.toThrow('no such bucket')
})

test('after a stop right before the machines are requested, the size is set to 0 once more', async () => {
  const stop = async (store: Store): Promise<void> => {
    const { incarnation } = JSON.parse(Buffer.from((await store.read(currentKey('tpi-x-0123456789')))?.bytes ?? '').toString()) as {
      readonly incarnation: string
    }
    const { control } = layout('tpi-x-0123456789', incarnation)
    const asked = { v: VERSION, nonce: 'n', stop: { at: '2030-01-01T00:00:00.000Z', by: 'ann@box' } }
    await store.write(control, Buffer.from(JSON.stringify(asked)))
  }
  const { size, current } = await createdWhileAway(Number.POSITIVE_INFINITY, undefined, stop)
  expect(size).toBe(0)
  expect(current).toMatchObject({ state: 'open' })
})

describe('a creation whose store and cloud are away for a minute', () => {
  test('from any call on: it waits, reports that, and completes', async () => {
    const { asked } = await createdWhileAway(Number.POSITIVE_INFINITY)
    expect(asked.length).toBeGreaterThan(8)
    expect(new Set(asked)).toEqual(new Set(['share', 'init', 'read', 'write', 'copy', 'ensure', 'programs', 'entrust', 'start']))
    for (const [from, name] of asked.entries()) {
      if (name === 'entrust') continue
      const { size, lines, current } = await createdWhileAway(from)
      expect([name, size]).toEqual([name, 2])
      expect(current).toMatchObject({ state: 'open' })
      // The group, the files in the store and the machines' programs are prepared at the same time, so up to three calls may report it.
      const reported = lines.filter((line) => line.includes('trying again for a while'))
      expect([name, reported.length >= 1 && reported.length <= 3]).toEqual([name, true])
    }
  })

  test('an interrupted command does not wait for it', async () => {
    const given = new AbortController()
    given.abort(new Error('interrupted'))
    await expect(createdWhileAway(0, given.signal)).rejects.toThrow('interrupted')
  })
})
