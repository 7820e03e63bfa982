/** Limits of requests to the server of a store. */
import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { statusOf } from '../../src/stores/http/protocol.ts'
import { storeServer } from '../../src/stores/http/server.ts'
import { layout } from '../../src/wire/layout.ts'
import { passFor } from '../../src/wire/pass.ts'
import { closed, listening } from '../setup/listening.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const TOKEN = 'key'
const PASS = passFor(TOKEN, { id: 'id', incarnation: 'inc', slot: 1 })
const own = layout('id', 'inc').slot(1)

let server: Server
let port: number
beforeEach(async () => {
  server = storeServer({ store: memoryStore(), token: TOKEN })
  port = await listening(server)
})
afterEach(() => closed(server))

/** Status of the answer; `length` bytes are announced, and `text` is sent. */
async function post(name: string, token: string, text: string, length = text.length): Promise<number | undefined> {
  const headers = { 'x-tpi-token': token, 'content-length': String(length) }
  const call = request({ port, host: '127.0.0.1', method: 'POST', path: `/${name}`, headers })
  call.write(text)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  call.destroy()
  return response.statusCode
}

const WATCHES = JSON.stringify([{ record: own.record, folder: own.log }])

test('only controllers get a watch: a machine could open a hundred thousand at once', async () => {
  expect(await post('watch', PASS, WATCHES)).toBe(statusOf('denied'))
  expect(await post('watch', TOKEN, WATCHES)).toBe(200)
})

test('the body with the keys to remove is limited to what a server can hold', async () => {
  expect(await post('remove', PASS, JSON.stringify([own.segment(1, 1)]))).toBe(200)
  for (const token of [PASS, TOKEN]) expect(await post('remove', token, '[', 9 << 20)).toBe(statusOf('invalid'))
})
