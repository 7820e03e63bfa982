/** `agent serve-store CONFIG.json`: the folder store behind HTTP, as a program of its own. */
import { once } from 'node:events'
import { readFile, rmdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { untilToldToEnd } from '../lib/abort.ts'
import { pause } from '../lib/clock.ts'
import { makePrivate } from '../lib/files.ts'
import { AGENT_REPLACE } from '../wire/machine.ts'
import { parseRecord } from '../wire/parse.ts'
import { SERVE, type ServeConfig } from '../wire/serve.ts'
import type { Store } from '../wire/store.ts'
import { withReserve } from './dir/disk-reserve.ts'
import { open } from './dir/index.ts'
import { dirUrl } from './dir/url.ts'
import { storeServer } from './http/server.ts'
import { idleTime, mayBeEnding } from './idle-shutdown.ts'

/** Milliseconds between two checks whether this is still needed. */
const LOOK = 5_000

/**
 * Serves until what is kept here is no longer needed, and resolves to 0. After it was told to end, it goes on for machines that were told the same
 * (`isAwaited`), and resolves to the exit code for a machine that must be replaced.
 */
export async function serveStore(argv: readonly string[], toldToEnd: AbortSignal = untilToldToEnd()): Promise<number> {
  const config = parseRecord(SERVE, await readFile(argv[0] ?? ''), argv[0] ?? '')
  const token = (await readFile(config.tokenFile, 'utf8')).trim()
  if (config.guest) await makePrivate(config.folder)
  const { store, drop } = await withReserve(await open({ url: dirUrl(config.folder) }), config.folder)
  const server = storeServer({ store, token })
  // Not the wall clock, which may be set meanwhile.
  let asked = performance.now()
  server.on('request', (request) => {
    // A health check does not count as a client.
    if (!request.url?.endsWith('/health')) asked = performance.now()
  })
  server.listen(config.port)
  await once(server, 'listening')
  process.stdout.write(`serving ${config.folder} on port ${config.port}\n`)
  if (await isOver(store, toldToEnd, () => performance.now() - asked > config.linger * 1000)) {
    await close(server)
    if (config.guest) await clearAll(store)
    await leave(config, drop)
    process.stdout.write('no longer needed\n')
    return 0
  }
  const told = performance.now()
  asked = told
  while (await isAwaited(store, config, { told, asked: () => asked })) await pause(250)
  await close(server)
  if (await isEmpty(store)) await leave(config, drop)
  return AGENT_REPLACE
}

/**
 * Whether a server that was told to end must still go on. Machines that were told to end at the same time, because their node is drained, too, first
 * end their programs and then save. Those of other nodes work on: they find the store at its next place, which may have to wait for the disk until
 * this server ends.
 */
async function isAwaited(
  store: Store,
  { linger }: ServeConfig,
  { told, asked }: { readonly told: number; readonly asked: () => number },
): Promise<boolean> {
  const now = performance.now()
  if (now - asked() >= linger * 1000 || (await isEmpty(store))) return false
  const late = now - told - linger * 1000
  return late < 0 || (await mayBeEnding(store, late).catch(() => false))
}

/** `true`: what is kept here is no longer needed. `false`: it was told to end. */
async function isOver(store: Store, shutdown: AbortSignal, isQuiet: () => boolean): Promise<boolean> {
  let since: number | undefined
  while (!shutdown.aborted) {
    // If it cannot be read now, try again later.
    const length = await idleTime(store).catch(() => undefined)
    since = length === undefined ? undefined : (since ?? performance.now())
    if (length !== undefined && since !== undefined && performance.now() - since >= length && isQuiet()) return true
    await pause(LOOK, shutdown).catch(() => undefined)
  }
  return false
}

/** Removes everything that is kept here, from a disk that is somebody else's. */
async function clearAll(store: Store): Promise<void> {
  const folders = new Set<string>()
  for await (const { key } of store.list('')) folders.add(key.slice(0, key.indexOf('/') + 1))
  for (const folder of folders) await store.clear(folder)
}

/** Whether nothing is kept here: the deployment was destroyed. */
async function isEmpty(store: Store): Promise<boolean> {
  for await (const _ of store.list('')) return false
  return true
}

async function leave({ folder, guest }: ServeConfig, drop: () => Promise<void>): Promise<void> {
  await drop()
  // It stays if it is not empty: then it has files that are not ours.
  if (guest) await rmdir(folder).catch(() => undefined)
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close').catch(() => undefined)
}
