/** Stores behind servers that may change every answer on its way to the command. The machines of a deployment got true answers. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import http, { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { decodeKey } from '../../src/stores/http/protocol.ts'
import { storeServer } from '../../src/stores/http/server.ts'
import { openStore } from '../../src/stores/registry.ts'
import { xmlText } from '../../src/stores/xml.ts'
import { listening } from '../setup/listening.ts'
import { type Asked, type Lie, lyingS3 } from '../stores/lying-s3.ts'

export interface Far {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  lie: Lie | undefined
  /** The keys that it had at the last `keep`. */
  keys(): string[]
  content(key: string): Buffer | undefined
  /** The keys that it has now. */
  there(): Promise<string[]>
  /** The prefix that a request for a list named. */
  prefix(asked: Asked): string
  /** A list, as the server would answer it. */
  list(keys: readonly string[], again?: boolean): string
  /** The object that comes after the requested one, in the order of keys. */
  next(asked: Asked): Buffer
  /** The same record of another deployment. */
  neighbours(asked: Asked, name: string, neighbour: string): Buffer | undefined
  /** Remembers the current contents; resolves to a function that restores them. */
  keep(): Promise<() => void>
  end(): Promise<void>
}

type Place = Pick<Far, 'keys' | 'content'>

function swaps(place: Place, keyOf: (asked: Asked) => string): Pick<Far, 'next' | 'neighbours'> {
  const rootOf = (name: string): string | undefined => {
    const current = place.keys().find((key) => key.startsWith(`tpi-${name}-`) && key.endsWith('/current.json'))
    const { incarnation } = JSON.parse(String((current && place.content(current)) ?? '{}')) as { incarnation?: string }
    return current?.replace('current.json', `${incarnation}/`)
  }
  return {
    next: (asked) => {
      const keys = place.keys()
      return place.content(keys[(keys.indexOf(keyOf(asked)) + 1) % keys.length] ?? '') ?? Buffer.alloc(0)
    },
    neighbours: (asked, name, neighbour) => {
      const [own = '', other = ''] = [rootOf(name), rootOf(neighbour)]
      const key = keyOf(asked)
      const there = key.startsWith(own) ? key.replace(own, other) : key.replace(/^[^/]*/, other.replace(/\/.*/, ''))
      return place.content(there)
    },
  }
}

const PRE = '/bucket/pre/'

export async function farS3(): Promise<Far> {
  const s3 = await lyingS3(true)
  const keep = s3.keep.bind(s3)
  let kept: ReadonlyMap<string, Buffer> = new Map()
  const there = (): string[] => [...s3.objects.keys()].map((key) => key.slice(PRE.length)).toSorted()
  const place: Place = {
    keys: () => [...kept.keys()].map((key) => key.slice(PRE.length)).toSorted(),
    content: (key) => kept.get(PRE + key),
  }
  return Object.assign(s3, place, {
    there: async () => there(),
    keep: async () => {
      kept = new Map(s3.objects)
      return keep()
    },
    ...swaps(place, ({ url }) => decodeURIComponent(url.pathname).slice(PRE.length)),
    words: ['--storage', 's3://bucket/pre'],
    env: {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: `secret-${randomUUID()}`,
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_REGION: 'us-east-1',
    },
    prefix: ({ url }: Asked) => (url.searchParams.get('prefix') ?? '').slice('pre/'.length),
    list: (keys: readonly string[], again = false) => {
      const contents = keys.map((key) => `<Contents><Key>${xmlText(`pre/${key}`)}</Key><Size>9</Size></Contents>`).join('')
      const more = `<IsTruncated>${again}</IsTruncated>${again ? '<NextContinuationToken>on</NextContinuationToken>' : ''}`
      return `<ListBucketResult>${more}${contents}</ListBucketResult>`
    },
    end: async () => s3[Symbol.asyncDispose](),
  })
}

const urlOf = async (server: Server): Promise<string> => `http://127.0.0.1:${await listening(server)}`

/** A server in front of the folder that the machines of this host use, as in a cluster: every reader goes through the server. */
export async function farHttp(): Promise<Far> {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-far-'))
  const data = join(folder, 'data')
  const token = randomUUID()
  const honest = storeServer({ store: await openStore({ url: `dir://${data}` }), token })
  const target = await urlOf(honest)
  const state: Pick<Far, 'lie'> = { lie: undefined }
  const front = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const { method = '', url = '/', headers } = request
      const onward = http.request(`${target}${url}`, { method, headers }).end(await buffer(request))
      const [answer] = (await once(onward, 'response')) as [http.IncomingMessage]
      const head = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
      // A stream of pushed changes has no end to wait for.
      if (url.includes('watch')) return void answer.pipe(response.writeHead(answer.statusCode ?? 0, head))
      const { 'transfer-encoding': _chunked, ...rest } = head
      const body = await buffer(answer)
      const said = { status: answer.statusCode ?? 0, headers: { ...rest, 'content-length': String(body.length) }, body }
      const changed = state.lie ? await state.lie({ method, url: new URL(url, 'http://x'), headers }, said, response) : said
      if (changed) response.writeHead(changed.status, changed.headers).end(changed.body)
    }
    pass().catch(() => response.destroy())
  })
  const url = await urlOf(front)
  const kept = new Map<string, Buffer>()
  const place: Place = { keys: () => [...kept.keys()].toSorted(), content: (key) => kept.get(key) }
  const there = async (): Promise<string[]> => {
    const keys: string[] = []
    for await (const { key } of (await openStore({ url: `dir://${data}` })).list('')) keys.push(key)
    return keys
  }
  return Object.assign(state, place, {
    ...swaps(place, ({ url: asked }) => decodeKey(asked.searchParams.get('key') ?? '')),
    words: ['--storage', data],
    env: { TEST_FAR: JSON.stringify({ url, token }) },
    prefix: ({ url: asked }: Asked) => decodeKey(asked.searchParams.get('prefix') ?? ''),
    list: (keys: readonly string[], again = false) =>
      `${[...keys.map((key) => JSON.stringify([key, 9])), JSON.stringify({ more: again })].join('\n')}\n`,
    there,
    keep: async () => {
      const store = await openStore({ url: `dir://${data}` })
      for (const key of await there()) kept.set(key, Buffer.from((await store.read(key))?.bytes ?? []))
      const copy = join(folder, 'copy')
      cpSync(data, copy, { recursive: true, preserveTimestamps: true })
      return () => {
        // The folder itself stays: a store notices if it is replaced.
        for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true, force: true })
        cpSync(copy, data, { recursive: true, preserveTimestamps: true })
      }
    },
    end: async () => {
      for (const server of [front, honest]) {
        server.closeAllConnections()
        server.close()
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  })
}
