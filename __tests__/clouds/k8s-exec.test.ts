/** A command in a pod: its output goes through the host, like all output of a machine, and it ends with a signal. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, jest, test } from '@jest/globals'
import type { Api } from '../../src/clouds/k8s/api.ts'
import { podExec } from '../../src/clouds/k8s/exec.ts'
import { loginOf } from '../../src/clouds/k8s/login.ts'
import type { Pod } from '../../src/clouds/k8s/objects.ts'
import type { Login } from '../../src/clouds/k8s/sdk.ts'
import { Interruption } from '../../src/core/errors.ts'
import { listening } from '../setup/listening.ts'

const of = { id: 'tpi-a-0123456789', incarnation: 'one' }
const pod = { metadata: { name: 'm-0' }, status: { phase: 'Running' } } as unknown as Pod
const api = { namespace: 'ns', list: async () => [pod] } as unknown as Api

test('both streams go to the host, in order, and nothing is written directly', async () => {
  const written = [jest.spyOn(process.stdout, 'write'), jest.spyOn(process.stderr, 'write')]
  const exec: Login['exec'] = async (_, __, { stdout, stderr }) => {
    stdout.write('\u001b[2J')
    stderr.write(Buffer.from([255]))
    stdout.write('out')
    return 3
  }
  const seen: (readonly [string, string])[] = []
  const output = (stream: 'out' | 'err', bytes: Uint8Array): void => void seen.push([stream, Buffer.from(bytes).toString('latin1')])
  try {
    expect(await podExec(api, { exec } as Login, { of, machine: 'm-0', argv: ['ls'], output, signal: new AbortController().signal })).toBe(
      3,
    )
    expect(seen).toEqual([
      ['out', '\u001b[2J'],
      ['err', '\u00ff'],
      ['out', 'out'],
    ])
    expect(written.flatMap((one) => one.mock.calls)).toEqual([])
  } finally {
    jest.restoreAllMocks()
  }
})

test('a signal ends it, and what it started may go on', async () => {
  const first = new AbortController()
  const exec: Login['exec'] = async () => {
    first.abort(new Error('SIGINT'))
    return new Promise(() => undefined)
  }
  const command = { of, machine: 'm-0', argv: ['sleep', '60'], output: () => undefined, signal: first.signal }
  const error = await podExec(api, { exec } as unknown as Login, command).catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(Interruption)
  expect((error as Interruption).message).toBe('interrupted; the command may go on in pod m-0')
})

test('while the command is silent, the connection is kept alive by pings, and the exit code still comes', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'Date', 'performance', 'queueMicrotask'] })
  const folder = mkdtempSync(join(tmpdir(), 'tpi-exec-'))
  let over = false
  // Frames: https://www.rfc-editor.org/rfc/rfc6455#section-5.2 · the status of the command, in channel 3: kubernetes, remotecommand
  const server = createServer().on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    const words = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      'Sec-WebSocket-Protocol: v5.channel.k8s.io',
    ]
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${words.join('\r\n')}\r\n\r\n`)
    socket.on('data', (frame: Buffer) => {
      if ((frame[0]! & 0x0f) !== 9 || socket.writableEnded) return
      const status = Buffer.from('\u0003{"status":"Success"}')
      socket.end(Buffer.concat([Buffer.from([0x82, status.length]), status]))
    })
    const passTime = (): void => {
      if (over) return
      jest.advanceTimersByTime(30_000)
      setTimeout(passTime, 5)
    }
    passTime()
  })
  const address = `http://127.0.0.1:${await listening(server)}`
  try {
    const cluster = { server: address, 'insecure-skip-tls-verify': true }
    const contexts = [{ name: 'a', context: { cluster: 'c', user: 'u' } }]
    const config = { clusters: [{ name: 'c', cluster }], users: [{ name: 'u', user: {} }], contexts, 'current-context': 'a' }
    writeFileSync(join(folder, 'config'), JSON.stringify(config))
    const target = { namespace: 'ns', pod: 'm-0', container: 'program' }
    const streams = { stdin: null, stdout: new PassThrough(), stderr: new PassThrough() }
    expect(await loginOf({ KUBECONFIG: join(folder, 'config') }, {}).exec(target, ['sleep', '600'], streams)).toBe(0)
  } finally {
    over = true
    server.close()
    rmSync(folder, { recursive: true })
    jest.useRealTimers()
  }
})
