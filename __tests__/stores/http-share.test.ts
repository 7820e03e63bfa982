/** A server of a store that many machines share: none of them can hold up the others, whatever it does or fails to do. */
import { request, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { type ServerOptions, storeServer } from '../../src/stores/http/server.ts'
import { openStore } from '../../src/stores/registry.ts'
import { layout } from '../../src/wire/layout.ts'
import { passFor } from '../../src/wire/pass.ts'
import type { Store } from '../../src/wire/store.ts'
import { closed, listening } from '../setup/listening.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const TOKEN = 'key'
const OF = { id: 'id', incarnation: 'inc' }
const keys = layout(OF.id, OF.incarnation)
/** Much more than the buffers of two sockets hold. */
const LARGE = Buffer.alloc(24 << 20)

async function serving(more: Partial<ServerOptions> = {}): Promise<{ url: string; server: Server; behind: Store }> {
  const behind = memoryStore()
  const server = storeServer({ store: behind, token: TOKEN, ...more })
  const url = `http://127.0.0.1:${await listening(server)}/`
  undo.push(() => closed(server))
  return { url, server, behind }
}

const passOf = (slot: number): string => passFor(TOKEN, { ...OF, slot })
const pathOf = (key: string): string => `object?key=${Buffer.from(key).toString('base64url')}`

test('objects that a machine requests and does not read do not hold up other machines', async () => {
  const { url, server, behind } = await serving()
  const pack = `${keys.slot(1).folder}snap/p`
  await behind.write(pack, LARGE)
  let asked = 0
  const all = new Promise<void>((resolve) => server.on('request', () => (++asked === 30 ? resolve() : undefined)))
  for (let number = 0; number < 30; number++) {
    const call = request(new URL(pathOf(pack), url), { headers: { 'x-tpi-token': passOf(1) } })
    // With a listener that does not read, the flow stops.
    call.on('response', () => undefined)
    call.on('error', () => undefined).end()
  }
  await all
  const other = await openStore({ url, credentials: { token: passOf(2) } })
  undo.push(() => other.close?.())
  await other.write(keys.slot(2).segment(1, 1), Buffer.from('a line'))
  expect(Buffer.from((await other.read(keys.slot(2).segment(1, 1)))?.bytes ?? []).toString()).toBe('a line')
})

test.each([
  ['an answer that nobody reads', `GET /${pathOf(`${keys.root}large`)}`, ''],
  ['a body that does not go on', `PUT /${pathOf(`${keys.root}other`)}`, 'content-length: 1000\r\n'],
])('%s is cut', async (_, what, header) => {
  const { url, server, behind } = await serving({ silence: 100 })
  await behind.write(`${keys.root}large`, LARGE)
  const cut = new Promise<void>((resolve) => server.on('connection', (served) => served.on('close', () => resolve())))
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  undo.push(() => socket.destroy())
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`${what} HTTP/1.1\r\nhost: x\r\nx-tpi-token: ${TOKEN}\r\n${header}\r\n`)
  await cut
})
