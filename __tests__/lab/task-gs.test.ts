/** Cloud local with its store in a bucket of Google, with a service account's key, whose tokens the machine renews by itself. */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type World, world } from '../setup/world.ts'
import { type GsServer, startFakeGcs, TOKEN } from './gs/fake-gcs.ts'
import { playStoredTask } from './stored-task.ts'

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
  // The credential file in the work directory was not uploaded.
  expect(await playStoredTask(w, access.url, env)).not.toContain('key.json')
  expect(await gs.names('tasks')).toEqual([])
})
