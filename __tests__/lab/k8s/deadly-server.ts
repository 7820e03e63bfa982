/** In front of an API server: whoever calls through it can be killed at its n-th call or change, before or after that has its effect. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'

export interface Doom {
  /** Changes alone, or everything that is asked for. */
  readonly counted: 'changes' | 'calls'
  /** The last one of those, from 1. */
  readonly last: number
  /** It still has its effect, only nobody hears of it. */
  readonly after: boolean
  kill(): void
}

export interface DoomedWay {
  /** Text of a kubeconfig that leads this way. */
  readonly kubeconfig: string
  /** What was counted so far, as `POST …/jobs`. */
  readonly asked: readonly string[]
}

export interface DeadlyServer {
  way(doom: Doom): DoomedWay
  stop(): Promise<void>
}

interface Way extends Doom {
  readonly asked: string[]
  dead: boolean
}

export async function deadlyServer(cluster: Cluster): Promise<DeadlyServer> {
  const { server: target, ca } = cluster.control
  const ways: Way[] = []
  const pass = async (message: IncomingMessage, path: string, body: Buffer): Promise<IncomingMessage> => {
    const { method } = message
    return await new Promise((resolve, reject) => {
      const call = request(new URL(path, target), { method, headers: message.headers, ca, agent: false }, resolve)
      call.on('error', reject).end(body)
    })
  }
  const serve = async (message: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const [, number = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(message.url ?? '') ?? []
    const way = ways[Number(number)]
    const body = Buffer.concat(await message.toArray())
    if (!way || way.dead) return void message.socket.destroy()
    const counts = way.counted === 'calls' || (message.method !== 'GET' && !path.endsWith('/watch'))
    if (counts) way.asked.push(`${message.method} ${path}`)
    const last = counts && way.asked.length === way.last
    if (last) way.dead = true
    if (last && !way.after) return way.kill()
    const reply = await pass(message, path, body)
    if (last) {
      await reply.toArray()
      return way.kill()
    }
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
  }
  const keys = join(cluster.folder, 'keys')
  const tls = { cert: readFileSync(join(keys, 'apiserver.crt')), key: readFileSync(join(keys, 'apiserver.key')) }
  const server = createServer(tls, (message, answer) => void serve(message, answer).catch(() => message.socket.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    way(doom) {
      const way: Way = { ...doom, asked: [], dead: false }
      ways.push(way)
      const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as { clusters: { cluster: Record<string, string> }[] }
      const place = { server: `https://127.0.0.1:${port}/${ways.length - 1}`, 'tls-server-name': 'kubernetes.default.svc' }
      Object.assign(config.clusters[0]?.cluster ?? {}, place)
      return { kubeconfig: JSON.stringify(config), asked: way.asked }
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
