/** An upload over a slow connection counts the bytes that have been sent. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { expect, test } from '@jest/globals'
import { sendBody } from '../../src/stores/sockets.ts'

test.each([0, 1, 128 << 10, (128 << 10) + 1, 1_000_000])('%i bytes arrive whole, and are counted up to the last', async (length) => {
  const body = Buffer.alloc(length, 'x')
  const arrived: Buffer[] = []
  const server = createServer((incoming, answer) => {
    incoming.on('data', (chunk: Buffer) => arrived.push(chunk)).on('end', () => answer.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as { port: number }
    const call = request({ host: '127.0.0.1', port, method: 'PUT', headers: { 'content-length': length } })
    const counts: number[] = []
    sendBody(call, body, (bytes) => counts.push(bytes))
    const [answer] = (await once(call, 'response')) as [NodeJS.ReadableStream]
    answer.resume()
    await once(answer, 'end')
    expect(Buffer.concat(arrived).equals(body)).toBe(true)
    expect(counts.at(-1)).toBe(length)
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b))
    expect(counts).toHaveLength(Math.max(1, Math.ceil(length / (128 << 10))))
  } finally {
    server.close()
  }
})

test('without a counter the body is sent as one', async () => {
  const chunks: (Uint8Array | undefined)[] = []
  const call = { end: (chunk: Uint8Array | undefined) => void chunks.push(chunk) }
  sendBody(call as never, Buffer.from('x'), undefined)
  sendBody(call as never, undefined, () => undefined)
  expect(chunks).toEqual([Buffer.from('x'), undefined])
})
