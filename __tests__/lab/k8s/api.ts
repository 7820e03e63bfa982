/** The lab's own small client of an API server: it shares no code with tpi, because it judges what tpi does. */
import { request } from 'node:https'

export interface Api {
  /** Parsed JSON; `undefined` for 404. Rejects on any other failure. */
  get<T = KubernetesObject>(path: string): Promise<T | undefined>
  list(path: string): Promise<KubernetesObject[]>
  create(path: string, body: object): Promise<KubernetesObject>
  /** Merge patch. */
  patch(path: string, body: object): Promise<void>
  remove(path: string): Promise<void>
}

export interface KubernetesObject {
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly creationTimestamp?: string
  }
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

interface Reply {
  readonly status: number
  readonly text: string
}

export function apiOf(server: string, ca: string | (() => string), token: string): Api {
  const send = async (method: string, path: string, body?: object, type = 'application/json'): Promise<Reply> => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) }
    const authority = typeof ca === 'string' ? ca : ca()
    return await new Promise((resolve, reject) => {
      const call = request(new URL(path, server), { method, headers, ca: authority, agent: false, timeout: 10_000 }, (message) => {
        let text = ''
        message.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        message.on('end', () => resolve({ status: message.statusCode ?? 0, text })).on('error', reject)
      })
      call.on('timeout', () => call.destroy(new Error('no answer for 10 s'))).on('error', reject)
      call.end(body && JSON.stringify(body))
    })
  }
  const good = async (method: string, path: string, body?: object, type?: string): Promise<Reply> => {
    const reply = await send(method, path, body, type)
    if (reply.status >= 400 && reply.status !== 404) throw new Error(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 500)}`)
    return reply
  }
  const get = async <T>(path: string): Promise<T | undefined> => {
    const reply = await good('GET', path)
    if (reply.status === 404) return undefined
    return (reply.text.startsWith('{') ? JSON.parse(reply.text) : reply.text) as T
  }
  return {
    get,
    list: async (path) => (await get<{ items: KubernetesObject[] }>(path))?.items ?? [],
    async create(path, body) {
      const reply = await good('POST', path, body)
      if (reply.status === 404) throw new Error(`POST ${path}: 404 ${reply.text}`)
      return JSON.parse(reply.text) as KubernetesObject
    },
    patch: async (path, body) => void (await good('PATCH', path, body, 'application/merge-patch+json')),
    remove: async (path) => void (await good('DELETE', path)),
  }
}
