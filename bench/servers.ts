/** The other side of the network: an S3 server, a gate in front of it, the engine's process, and rclone. */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type S3Server, startVersitygw } from '../__tests__/lab/versitygw.ts'
import type { StoreAccess } from '../src/wire/store.ts'
import type { Answer, Opening, Order } from './engine.ts'

export const ROUND_TRIP = 30

export interface Distant {
  readonly server: S3Server
  /** Through the delay, straight to the server, for large transfers. Its conditional writes are no compare-and-swap. */
  readonly bulk: string
  /** Through the delay to the gate that enforces conditions, for whole tasks. */
  readonly records: string
  access(bucket: string, endpoint: string): Promise<StoreAccess>
  stop(): Promise<void>
}

/** `undefined` if there is no Go to build the server with. */
export async function withDistant<T>(body: (distant: Distant) => Promise<T>): Promise<T | undefined> {
  const distant = await startDistant()
  if (!distant) return undefined
  try {
    return await body(distant)
  } finally {
    await distant.stop()
  }
}

async function startDistant(): Promise<Distant | undefined> {
  const server = await startVersitygw()
  if (!server) return undefined
  const proxies = [await startProxy(server.port), await startProxy(server.gate)] as const
  return {
    server,
    bulk: proxies[0].endpoint,
    records: proxies[1].endpoint,
    async access(bucket, endpoint) {
      const access = await server.access(bucket)
      return { ...access, settings: { ...access.settings, endpoint } }
    },
    async stop() {
      for (const proxy of proxies) await proxy.stop()
      await server.stop()
    },
  }
}

async function startProxy(port: number): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'proxy.ts'), String(port), String(ROUND_TRIP)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    endpoint: `http://127.0.0.1:${Number(line.toString())}`,
    async stop() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

export interface EngineProcess {
  ask(order: Order): Promise<Answer>
  stop(): void
}

export async function startEngine(opening: Opening): Promise<EngineProcess> {
  const child = fork(join(import.meta.dirname, 'engine.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const engine: EngineProcess = {
    async ask(order) {
      child.send(order)
      const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Answer | number | null]
      if (typeof answer !== 'object' || answer === null) throw new Error(`the engine ended with ${answer}`)
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer
    },
    stop: () => void child.kill('SIGKILL'),
  }
  await engine.ask({ do: 'open', with: opening })
  return engine
}

/** Milliseconds; `undefined` if there is no rclone. A place in the bucket is `lab:BUCKET`. */
export async function rclone(distant: Distant, args: readonly string[]): Promise<number | undefined> {
  const { accessKeyId, secretAccessKey } = distant.server.credentials
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    RCLONE_CONFIG_LAB_TYPE: 's3',
    RCLONE_CONFIG_LAB_PROVIDER: 'Other',
    RCLONE_CONFIG_LAB_ENDPOINT: distant.bulk,
    RCLONE_CONFIG_LAB_REGION: 'us-east-1',
    RCLONE_CONFIG_LAB_ACCESS_KEY_ID: accessKeyId,
    RCLONE_CONFIG_LAB_SECRET_ACCESS_KEY: secretAccessKey,
  }
  const began = performance.now()
  const child = spawn('rclone', args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-400)))
  const code = await new Promise<number | null | undefined>((resolve) => child.on('error', () => resolve(undefined)).on('close', resolve))
  if (code === undefined) return undefined
  if (code !== 0) throw new Error(`rclone ${args.join(' ')} ended with ${code}: ${complaint}`)
  return performance.now() - began
}
