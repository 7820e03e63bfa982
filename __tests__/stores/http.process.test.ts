import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type ClientRequest, createServer, request, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { systemClock } from '../../src/lib/clock.ts'
import { storeServer } from '../../src/stores/http/server.ts'
import { openStore } from '../../src/stores/registry.ts'
import { renewing } from '../../src/wire/credentials.ts'
import { passFor } from '../../src/wire/pass.ts'
import type { Store, StoreAccess } from '../../src/wire/store.ts'
import { describeStore } from '../conformance/store.ts'
import { bytes, fault, keysOf, textAt } from '../conformance/store-lab.ts'
import { closed, listening } from '../setup/listening.ts'
import { until } from '../setup/wait.ts'

const undo: (() => Promise<unknown>)[] = []
const later: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const step of later.splice(0).reverse()) await step()
})
afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

async function listen(server: Server, list = later): Promise<string> {
  const port = await listening(server)
  list.push(() => closed(server))
  return `http://127.0.0.1:${port}/`
}

interface Serving {
  readonly access: StoreAccess
  readonly behind: Store
  readonly server: Server
  /** The folder behind the server. */
  readonly folder: string
}

async function serving(list = later, watchFor?: number): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-http-'))
  list.push(() => rm(folder, { recursive: true, force: true }))
  const behind = await openStore({ url: `dir://${folder}` })
  const token = randomBytes(16).toString('hex')
  const server = storeServer({ store: behind, token, ...(watchFor !== undefined && { watchFor }) })
  return { access: { url: await listen(server, list), credentials: { token } }, behind, server, folder }
}

describeStore('http', async () => (await serving(undo)).access, { folders: true, contentVersions: false })

async function client(access: StoreAccess): Promise<Store> {
  const store = await openStore(access)
  later.push(async () => await store.close?.())
  return store
}

describe('a store behind HTTP', () => {
  test('without its token nothing is read, written or revealed', async () => {
    const { access, behind } = await serving()
    await behind.init('id/inc/')
    await behind.write('id/inc/a', bytes('x'))
    for (const credentials of [{}, { token: 'wrong' }, { authorization: 'Bearer x' }]) {
      const store = await client({ ...access, credentials })
      await expect(store.read('id/inc/a')).rejects.toEqual(fault('denied'))
      await expect(store.write('id/inc/a', bytes('y'))).rejects.toEqual(fault('denied'))
      await expect(keysOf(store, 'id/')).rejects.toEqual(fault('denied'))
      await expect(store.clear('id/')).rejects.toEqual(fault('denied'))
    }
    expect(await textAt(behind, 'id/inc/a')).toBe('x')
  })

  test('a pass for one slot opens only that slot', async () => {
    const { access, behind } = await serving()
    await behind.init('id/inc/')
    for (const slot of [1, 2]) await behind.write(`id/inc/slots/${slot}/log/000001-0000000000`, bytes(`line of ${slot}`))
    const key = access.credentials?.['token'] ?? ''
    const of = { id: 'id', incarnation: 'inc', slot: 1 }
    const store = await client({ ...access, credentials: { token: passFor(key, of) } })
    expect(await textAt(store, 'id/inc/slots/1/log/000001-0000000000')).toBe('line of 1')
    await store.write('id/inc/slots/1/snap/pack', Buffer.alloc(3_000_000))
    expect(await keysOf(store, 'id/inc/slots/1/snap/')).toEqual(['id/inc/slots/1/snap/pack'])
    await expect(store.read('id/inc/slots/2/log/000001-0000000000')).rejects.toEqual(fault('denied'))
    await expect(store.write('id/inc/slots/2/snap/pack', Buffer.alloc(3_000_000))).rejects.toEqual(fault('denied'))
    await expect(keysOf(store, 'id/inc/')).rejects.toEqual(fault('denied'))
    await expect(store.clear('id/inc/')).rejects.toEqual(fault('denied'))
    const watched = store.watch?.([{ record: 'id/inc/slots/2/slot.json', folder: 'id/inc/slots/2/log/' }], new AbortController().signal)
    const firstWord = async (): Promise<void> => {
      for await (const _ of watched ?? []) return
    }
    await expect(firstWord()).rejects.toThrow()
    for (const token of [passFor('another', of), `${passFor(key, of)}0`, key.slice(1)])
      await expect((await client({ ...access, credentials: { token } })).read('id/current.json')).rejects.toEqual(fault('denied'))
  })

  test('unknown or expired credentials are asked for', async () => {
    const { access, behind } = await serving()
    await behind.init('id/inc/')
    let asked = 0
    const source = renewing({
      clock: systemClock,
      lend: async () => {
        asked += 1
        return { credentials: asked === 1 ? { token: 'of yesterday' } : (access.credentials ?? {}) }
      },
    })
    const store = await client({ url: access.url, source })
    await store.write('id/inc/a', bytes('x'))
    expect(await textAt(store, 'id/inc/a')).toBe('x')
    expect(asked).toBe(2)
  })

  test('the server, too, refuses keys that lead out', async () => {
    const { access } = await serving()
    for (const key of ['../../etc/passwd', '/etc/passwd', 'a/../../b', '']) {
      const path = new URL(`object?key=${Buffer.from(key).toString('base64url')}`, access.url)
      const reply = await fetch(path, { headers: { 'x-tpi-token': access.credentials?.['token'] ?? '' } })
      expect(reply.status).toBe(400)
    }
  })

  test('more than a page of keys', async () => {
    const { access, behind } = await serving()
    await behind.init('id/inc/')
    const names = Array.from({ length: 2001 }, (_, index) => `id/inc/${String(index).padStart(5, '0')}`)
    await Promise.all(names.map((name) => behind.write(name, bytes(''))))
    const store = await client(access)
    expect(await keysOf(store, 'id/inc/')).toEqual(names)
    expect(await keysOf(store, 'id/inc/', names[999])).toEqual(names.slice(1000))
  })

  test('the server ends a watch now and then, completely, and the next one continues from there', async () => {
    const { access, behind } = await serving(later, 300)
    await behind.init('id/inc/')
    const store = await client(access)
    const [record, folder] = ['id/inc/r', 'id/inc/log/']
    const seen: string[] = []
    const signal = new AbortController().signal
    await behind.write(`${folder}0`, bytes('x'.repeat(300_000)))
    for (let round = 1; seen.length < 3; round += 1) {
      const after = seen.at(-1)
      for await (const reported of store.watch?.([{ record, folder, ...(after !== undefined && { after }) }], signal) ?? []) {
        if (reported !== 'caught-up') seen.push(reported.key)
      }
      if (round < 3) await store.write(`${folder}${round}`, bytes('x'))
    }
    expect(seen).toEqual([`${folder}0`, `${folder}1`, `${folder}2`])
  })

  test('a watch whose connection breaks reports that', async () => {
    const { access, behind, server } = await serving()
    await behind.init('id/inc/')
    const store = await client(access)
    const watching = async (): Promise<void> => {
      for await (const reported of store.watch?.([{ record: 'id/inc/r', folder: 'id/inc/log/' }], new AbortController().signal) ?? [])
        if (reported === 'caught-up') server.closeAllConnections()
    }
    await expect(watching()).rejects.toEqual(fault('unavailable'))
  })

  test('a body that is cut short writes nothing', async () => {
    const here = await serving()
    await here.behind.init('id/inc/')
    const arrival = once(here.server, 'request')
    const call = await begun(here, 'id/inc/a', 1000)
    const response = (await arrival)[1] as ServerResponse
    call.destroy()
    await once(response, 'close')
    // A later request: until it is answered, the server has done what it would do with the first one.
    await (await client(here.access)).write('id/inc/b', bytes('x'))
    expect(await keysOf(here.behind, 'id/')).toEqual(['id/inc/b'])
  })
})

/** More than the server keeps in memory. */
const LARGE = 3_000_000

/** An upload that is announced, begun, and then stalls. */
async function begun({ access }: Serving, key: string, size: number): Promise<ClientRequest> {
  const url = new URL(`object?key=${Buffer.from(key).toString('base64url')}`, access.url)
  const headers = { 'x-tpi-token': access.credentials?.['token'] ?? '', 'content-length': String(size) }
  const call = request(url, { method: 'PUT', headers })
  call.on('error', () => undefined)
  await new Promise<void>((resolve) => call.write(Buffer.alloc(size / 2), () => resolve()))
  return call
}

describe('large bodies', () => {
  test('of two that are written on condition of absence one wins, whole, and the other gets a conflict', async () => {
    const { access, behind } = await serving()
    await behind.init('id/inc/')
    const bodies = [1, 2].map((fill) => Buffer.alloc(LARGE, fill))
    const stores = await Promise.all(bodies.map(async () => client(access)))
    const absent = { absent: true } as const
    const both = await Promise.allSettled(stores.map(async (store, at) => store.write('id/inc/a', bodies[at]!, absent)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const won = both.findIndex(({ status }) => status === 'fulfilled')
    expect((both[1 - won] as PromiseRejectedResult).reason).toEqual(fault('conflict'))
    const there = await behind.read('id/inc/a')
    expect(Buffer.from(there!.bytes).equals(bodies[won]!)).toBe(true)
    // The same on condition of a version.
    const next = Buffer.alloc(LARGE, 3)
    await stores[0]!.write('id/inc/a', next, { version: there!.version })
    await expect(stores[1]!.write('id/inc/a', bodies[0]!, { version: there!.version })).rejects.toEqual(fault('conflict'))
    expect(Buffer.from((await behind.read('id/inc/a'))!.bytes).equals(next)).toBe(true)
  })

  test('a refused upload gets the reason, not a broken connection', async () => {
    const store = await client((await serving()).access)
    await expect(store.write('id/gone/a', Buffer.alloc(8 * LARGE))).rejects.toEqual(fault('gone'))
  })

  test('that stall hold up nobody, and leave nothing once their senders are gone', async () => {
    const here = await serving()
    const { access, behind } = here
    await behind.init('id/inc/')
    // Much more than the server holds in memory.
    const stalled = await Promise.all(Array.from({ length: 40 }, async (_, at) => begun(here, `id/inc/stalled-${at}`, 2 * LARGE)))
    const store = await client(access)
    await store.write('id/inc/a', Buffer.alloc(4 * LARGE, 1))
    expect((await store.read('id/inc/a'))?.bytes.length).toBe(4 * LARGE)
    const halves = (): string[] => readdirSync(join(here.folder, 'id/inc'), { recursive: true }).map(String)
    await until('all of them have begun', () => halves().length > stalled.length)
    for (const call of stalled) call.destroy()
    await until('nothing of them is left', () => halves().length <= 2)
    expect(halves().toSorted()).toEqual([expect.stringMatching(/^%/), 'a'])
    expect(await keysOf(store, 'id/')).toEqual(['id/inc/a'])
  })
})

describe('answers from something in between', () => {
  const said = (status: number, message: string) => async (): Promise<Store> => {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ kind: 'Status', message }))
    })
    return await client({ url: await listen(server), credentials: { token: 'x' } })
  }

  test('no such service: nothing exists, and nothing can be written', async () => {
    const store = await said(404, 'services "tpi-x" not found')()
    expect(await store.read('id/current.json')).toBeUndefined()
    expect(await keysOf(store, 'id/')).toEqual([])
    await store.clear('id/')
    await store.remove(['id/a'])
    await expect(store.write('id/a', bytes('x'))).rejects.toEqual(fault('gone'))
    await expect(store.init('id/inc/')).rejects.toEqual(fault('gone'))
    await expect(store.reach?.()).rejects.toEqual(fault('gone'))
  })

  test('a refusal quotes the answer', async () => {
    const store = await said(403, 'services "tpi-x" is forbidden: User "me" cannot get resource "services/proxy"')()
    await expect(store.read('id/current.json')).rejects.toThrow(/cannot get resource "services\/proxy"/)
    await expect(store.read('id/current.json')).rejects.toEqual(fault('denied'))
  })

  test('out of reach for a moment: retried, even a conditional write', async () => {
    const { access, server } = await serving()
    const [inner] = server.listeners('request') as ((...args: unknown[]) => void)[]
    let left = 2
    const front = createServer((incoming, response) => {
      left -= 1
      if (left < 0) inner?.(incoming, response)
      else response.writeHead(503).end('no endpoints available for service')
    })
    const store = await client({ ...access, url: await listen(front) })
    await store.init('id/inc/')
    left = 2
    await store.write('id/inc/a', bytes('x'), { absent: true })
    expect(await textAt(store, 'id/inc/a')).toBe('x')
  })
})
