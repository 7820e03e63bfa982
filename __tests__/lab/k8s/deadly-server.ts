/**
 * Stands before an API server: a command that calls through it can be killed, or told to end, at its n-th call or change, before or after that takes
 * effect. Calls to other services can be counted too.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import { join } from 'node:path'
import { closed, listening } from '../../setup/listening.ts'
import type { Cluster } from './cluster.ts'

export interface Doom {
  /** Count only changes, or all calls, or only calls to other services. */
  readonly counted: 'changes' | 'calls' | 'others'
  /** Number of the last one, from 1. */
  readonly last: number
  /** The call still takes effect, but its answer is lost. */
  readonly after: boolean
  /** A command that is told to end still has to remove what it has made, so all its calls are answered. */
  readonly lives?: boolean
  kill(): void
}

export interface DoomedWay {
  /** Text of a kubeconfig that leads through this server. */
  readonly kubeconfig: string
  /** What was counted so far, as `POST …/jobs`. */
  readonly asked: readonly string[]
  /** A call to another service, which also counts; never resolves if the command is dead. */
  through<T>(call: string, act: () => Promise<T>): Promise<T>
}

export interface DeadlyServer {
  way(doom: Doom): DoomedWay
  stop(): Promise<void>
}

class Way implements Pick<DoomedWay, 'asked' | 'through'> {
  readonly doom: Doom
  readonly asked: string[] = []
  dead = false

  constructor(doom: Doom) {
    this.doom = doom
  }

  async through<T>(call: string, act: () => Promise<T>): Promise<T> {
    const { last, after, lives = false, kill } = this.doom
    if (this.dead) return new Promise(() => undefined)
    this.asked.push(call)
    if (this.asked.length !== last) return act()
    this.dead = !lives
    if (!after) kill()
    if (this.dead && !after) return new Promise(() => undefined)
    const answer = await act()
    if (after) kill()
    return this.dead ? new Promise(() => undefined) : answer
  }
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
    const changes = message.method !== 'GET' && !path.endsWith('/watch')
    const counts = way.doom.counted === 'calls' || (way.doom.counted === 'changes' && changes)
    const asked = async (): Promise<IncomingMessage> => {
      const heard = await pass(message, path, body)
      return way.dead ? heard.resume() : heard
    }
    const reply = await (counts ? way.through(`${message.method} ${path}`, asked) : asked())
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
  }
  const keys = join(cluster.folder, 'keys')
  const tls = { cert: readFileSync(join(keys, 'apiserver.crt')), key: readFileSync(join(keys, 'apiserver.key')) }
  const server = createServer(tls, (message, answer) => void serve(message, answer).catch(() => message.socket.destroy()))
  const port = await listening(server)
  return {
    way(doom) {
      const way = new Way(doom)
      ways.push(way)
      const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as { clusters: { cluster: Record<string, string> }[] }
      const place = { server: `https://127.0.0.1:${port}/${ways.length - 1}`, 'tls-server-name': 'kubernetes.default.svc' }
      Object.assign(config.clusters[0]?.cluster ?? {}, place)
      return { kubeconfig: JSON.stringify(config), asked: way.asked, through: async (call, act) => way.through(call, act) }
    },
    async stop() {
      await closed(server)
    },
  }
}
