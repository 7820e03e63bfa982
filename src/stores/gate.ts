/**
 * `agent serve-gate CONFIG.json`: a store of somebody else's behind our server, for the machine beside it. What opens that store is known here
 * alone; the machine shows a pass of its slot, and gets no further than that (`wall.ts`).
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { credentialsOf } from '../wire/machine.ts'
import { parseRecord } from '../wire/parse.ts'
import { GATE } from '../wire/serve.ts'
import type { OpenStore } from '../wire/store.ts'
import { storeServer } from './http/server.ts'

/** Bytes of an object that are asked for at once: a call costs money and time, however little it brings. */
const PIECE = 8 * 1024 * 1024

/** Serves until it is told to go, which is after the machine that it serves. */
export async function serveGate(argv: readonly string[], openStore: OpenStore): Promise<number> {
  const shutdown = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => shutdown.abort())
  const { store: place, credentialsFile, port, tokenFile } = parseRecord(GATE, await readFile(argv[0] ?? ''), argv[0] ?? '')
  const token = (await readFile(tokenFile, 'utf8')).trim()
  const store = await openStore({ ...place, credentials: credentialsOf(await readFile(credentialsFile, 'utf8')) })
  const server = storeServer({ store, token, piece: PIECE })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  process.stdout.write(`serving ${place.url} on port ${port}\n`)
  if (!shutdown.signal.aborted) await once(shutdown.signal, 'abort')
  server.close()
  server.closeAllConnections()
  await store.close?.()
  return 0
}
