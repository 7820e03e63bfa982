/** `agent serve-store CONFIG.json`: the folder store behind HTTP, as a program of its own. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServeConfig } from '../wire/serve.ts'
import { open } from './dir/index.ts'
import { dirUrl } from './dir/url.ts'
import { storeServer } from './http/server.ts'

/** Exit code of a server that was told to go: a replacement is wanted, the work is not done. */
const REPLACE = 75

/** Serves until SIGTERM and then until nobody has asked for anything for a while, or nothing is kept here any more. */
export async function serveStore(argv: readonly string[]): Promise<number> {
  const config = JSON.parse(await readFile(argv[0] ?? '', 'utf8')) as ServeConfig
  const token = (await readFile(config.tokenFile, 'utf8')).trim()
  const store = await open({ url: dirUrl(config.folder) })
  const server = storeServer({ store, token })
  let asked = Date.now()
  server.on('request', (request) => {
    // Whoever looks after our health is no client.
    if (!request.url?.endsWith('/health')) asked = Date.now()
  })
  const told = new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve())
  })
  server.listen(config.port)
  await once(server, 'listening')
  process.stdout.write(`serving ${config.folder} on port ${config.port}\n`)
  await told
  asked = Date.now()
  while (Date.now() - asked < config.linger * 1000 && !(await isEmpty(store))) await sleep(250)
  await close(server)
  return REPLACE
}

/** Nothing is kept here: the deployment was destroyed. */
async function isEmpty(store: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  for await (const _ of store.list('')) return false
  return true
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close').catch(() => undefined)
}
