/**
 * `agent serve-gate CONFIG.json`: serves a store that is elsewhere to the machine beside it. Only this program has the credentials of the store. The
 * machine shows a pass, which lets it use its own slot and nothing else (`pass-rules.ts`).
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { untilToldToEnd } from '../lib/abort.ts'
import { credentialsOf } from '../wire/machine.ts'
import { parseRecord } from '../wire/parse.ts'
import { GATE } from '../wire/serve.ts'
import type { OpenStore } from '../wire/store.ts'
import { storeServer } from './http/server.ts'

/** Bytes of an object that are read in one call: each call costs money and time, however small its answer. */
const PIECE = 8 * 1024 * 1024

/** Serves until it is told to end, which is after the machine that it serves. */
export async function serveGate(argv: readonly string[], openStore: OpenStore): Promise<number> {
  const toldToEnd = untilToldToEnd()
  const { store: place, credentialsFile, port, tokenFile } = parseRecord(GATE, await readFile(argv[0] ?? ''), argv[0] ?? '')
  const token = (await readFile(tokenFile, 'utf8')).trim()
  const store = await openStore({ ...place, credentials: credentialsOf(await readFile(credentialsFile, 'utf8')) })
  const server = storeServer({ store, token, piece: PIECE })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  process.stdout.write(`serving ${place.url} on port ${port}\n`)
  if (!toldToEnd.aborted) await once(toldToEnd, 'abort')
  server.close()
  server.closeAllConnections()
  await store.close?.()
  return 0
}
