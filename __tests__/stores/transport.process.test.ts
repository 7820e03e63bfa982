import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { Transport } from '../../src/stores/http/transport.ts'
import { TransportError } from '../../src/stores/transport-error.ts'

const SERVER = `
const server = require('node:http').createServer((_, answer) => answer.end('here'))
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`

/** A stopped server with a full queue: further connections get no answer, as if nobody had the address. */
async function deafServer() {
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = Number(String((await once(child.stdout, 'data'))[0]))
  child.kill('SIGSTOP')
  const waiting: Socket[] = []
  for (let full = false; !full; ) {
    const socket = connect(port, '127.0.0.1')
    waiting.push(socket)
    full = !(await Promise.race([once(socket, 'connect').then(() => true), new Promise((resolve) => setTimeout(resolve, 1000))]))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async hear() {
      for (const socket of waiting) socket.destroy()
      child.kill('SIGCONT')
      // Its queue is empty again as soon as it accepts one more.
      const one = connect(port, '127.0.0.1')
      await once(one, 'connect')
      one.destroy()
    },
    stop: () => child.kill('SIGKILL'),
  }
}

test('a connection that is not established is given up soon, later each time, and counts as not sent', async () => {
  const server = await deafServer()
  const transport = new Transport(server.url)
  try {
    const failures: unknown[] = []
    for (let attempt = 0; attempt < 3; attempt++)
      failures.push(await transport.send({ method: 'PUT', path: '', headers: {} }).catch((error) => error))
    expect(failures).toEqual([0.4, 0.8, 1.6].map((seconds) => new TransportError(false, `no connection within ${seconds} s`)))
    await server.hear()
    // The patience that worked once is enough.
    const answer = await transport.send({ method: 'GET', path: '', headers: {} })
    expect((await answer.bytes()).toString()).toBe('here')
  } finally {
    transport.close()
    server.stop()
  }
})
