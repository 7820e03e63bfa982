/** Cloud local with its store in a bucket of Google: by a key of a service account, which travels to the machine and is renewed there. */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'
import { type GsServer, startFakeGcs, TOKEN } from './gs/fake-gcs.ts'

jest.setTimeout(300_000)

let gs: GsServer | undefined
let tokens: Server
let tokenUri: string
let w: World
beforeAll(async () => {
  gs = await startFakeGcs()
  tokens = createServer((_request, response) => {
    response.end(JSON.stringify({ access_token: TOKEN, expires_in: 3599, token_type: 'Bearer' }))
  }).listen(0, '127.0.0.1')
  await once(tokens, 'listening')
  const bound = tokens.address()
  tokenUri = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}/token`
  w = await world()
})
afterAll(async () => {
  tokens.close()
  await w?.end()
  await gs?.stop()
})

test('a task over Cloud Storage: uploaded, interrupted, resumed, delivered, and nothing is left in the bucket', async () => {
  if (!gs) return expect(process.env['CI']).toBeUndefined()
  const access = await gs.access('tasks', 'team/x')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const credential = { type: 'service_account', client_email: 'ci@lab', private_key: pem, token_uri: tokenUri }
  await w.write('p/key.json', JSON.stringify(credential))
  gs.gate.tokens.add(TOKEN)
  const env = {
    GOOGLE_APPLICATION_CREDENTIALS: join(w.work, 'p/key.json'),
    STORAGE_EMULATOR_HOST: gs.endpoint,
    KEY: 'canary-over-gs-41',
  }
  await w.write('p/data', 'one\n')
  const script =
    'n=$(cat n 2>/dev/null || echo 0); echo from $n with $KEY; ls; cat data > r; while [ $n -lt 15 ]; do n=$((n+1)); echo $n > n; sleep 0.2; done; cat n >> r'
  const words = [
    'task',
    '--name',
    'far',
    '--storage',
    access.url,
    '--workdir',
    'p',
    '--output',
    'r',
    '--secret',
    'KEY',
    '--checkpoint-interval',
    '1s',
    '--json',
  ]
  const run = w.tpi([...words, '--parallelism', '2', '--script', script], { env })
  await until('it runs', async () => (await w.tpi('logs far', { env })).host.scriptText().includes('from 0'))
  // A command in another folder, without the option: it is known where this one keeps its things.
  expect((await w.tpi('status far --json', { env })).facts).toMatchObject({
    store: expect.stringContaining('gs://tasks/team/x'),
    outcome: 'running',
  })
  expect((await w.tpi('interrupt far --slot 1', { env })).code).toBe(0)
  const ran = await run
  expect(ran.code).toBe(0)
  expect(ran.facts.slots).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  expect(ran.host.scriptText()).toContain('***')
  expect(await w.read('p/r')).toBe('one\n15\n')
  // The credential file of the work directory has not gone up with it.
  expect(ran.host.scriptText()).not.toContain('key.json')
  expect(await gs.names('tasks')).toEqual([])
  expect(await w.filesWith('canary-over-gs-41')).toEqual([])
  expect(await w.remains()).toEqual([])
})
