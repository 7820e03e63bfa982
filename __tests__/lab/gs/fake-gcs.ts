/** A server of Cloud Storage on the loopback: fake-gcs-server in memory, behind a gate that enforces what it does not check. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http, { type OutgoingHttpHeaders } from 'node:http'
import type { StoreAccess } from '../../../src/wire/store.ts'
import { accepting, freePort } from '../../setup/listening.ts'
import { GO_TOOLS, goTool } from '../go-tool.ts'
import { bodyOf } from '../vm/relay.ts'
import { type Behind, type Gate, startGsGate } from './gate.ts'

export interface GsServer {
  readonly gate: Gate
  readonly endpoint: string
  /** Makes a bucket, and returns how to open a store in it; `prefix` has no slashes at its ends. */
  access(bucket: string, prefix?: string): Promise<StoreAccess>
  /** Names of all objects of a bucket. */
  names(bucket: string): Promise<readonly string[]>
  stop(): Promise<void>
}

export const TOKEN = 'ya29.lab'

/** A server that is used only through requests. */
export async function gsServer(behind: Behind, end: () => Promise<void> = async () => {}): Promise<GsServer> {
  const gate = await startGsGate(behind)
  const endpoint = `http://127.0.0.1:${gate.port}`
  const call = async (method: string, path: string, body: object | undefined) =>
    await behind({
      method,
      url: new URL(path, endpoint),
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: Buffer.from(body ? JSON.stringify(body) : ''),
    })
  return {
    gate,
    endpoint,
    async access(bucket, prefix = '') {
      await call('POST', '/storage/v1/b?project=lab', { name: bucket })
      return { url: `gs://${bucket}${prefix === '' ? '' : `/${prefix}`}`, settings: { endpoint }, credentials: { token: TOKEN } }
    },
    async names(bucket) {
      const { body } = await call('GET', `/storage/v1/b/${bucket}/o`, undefined)
      return ((JSON.parse(String(body)) as { items?: { name: string }[] }).items ?? []).map(({ name }) => name)
    },
    async stop() {
      await gate.stop()
      await end()
    },
  }
}

/** `undefined` if the server could not be built (after one line that says so). */
export async function startFakeGcs(): Promise<GsServer | undefined> {
  const binary = await goTool(GO_TOOLS.fakeGcs)
  if (binary === undefined) return undefined
  const port = await freePort()
  const origin = `127.0.0.1:${port}`
  const args = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-backend', 'memory', '-public-host', origin]
  const child = spawn(binary, [...args, '-external-url', `http://${origin}`], { stdio: 'ignore' })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const behind = forward(port, agent)
  const stop = async () => {
    agent.destroy()
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await accepting(child, port)
  return await gsServer(behind, stop)
}

function forward(port: number, agent: http.Agent): Behind {
  return async ({ method, url, headers, body }) =>
    await new Promise((resolve, reject) => {
      const { authorization: _none, ...rest } = headers
      const onward = { ...rest, host: `127.0.0.1:${port}`, 'content-length': String(body.length) } as OutgoingHttpHeaders
      const request = http.request({ agent, host: '127.0.0.1', port, method, path: url.pathname + url.search, headers: onward })
      request.on('error', reject).on('response', (answer) => {
        const { 'transfer-encoding': _chunked, connection: _kept, ...kept } = answer.headers
        bodyOf(answer, { method, url: url.pathname + url.search }).then(
          (sent) => resolve({ status: answer.statusCode ?? 502, headers: kept, ...sent }),
          reject,
        )
      })
      request.end(body)
    })
}
