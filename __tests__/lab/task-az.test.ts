/** Cloud local with its store in a container of Azure, by the key of the account. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'
import { type Azurite, KEY, startAzurite } from './az/azurite.ts'

jest.setTimeout(300_000)

let azurite: Azurite | undefined
let w: World
beforeAll(async () => {
  azurite = await startAzurite()
  w = await world()
})
afterAll(async () => {
  await w?.end()
  await azurite?.stop()
})

test('a task over Blob Storage: uploaded, interrupted, resumed, delivered, and nothing is left in the container', async () => {
  if (!azurite) return expect(process.env['CI']).toBeUndefined()
  const { url } = await azurite.access('tasks', 'team/x')
  const env = { AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_SERVICE_ENDPOINT: azurite.endpoint }
  await w.write('p/data', 'one\n')
  const script = 'echo attempt $TPI_ATTEMPT; [ "$TPI_ATTEMPT" != 1 ] || { cat data > r; echo saved; sleep 60; }; echo end >> r'
  const words = ['task', '--name', 'far', '--storage', url, '--workdir', 'p', '--output', 'r', '--checkpoint-interval', '1s', '--json']
  const run = w.tpi([...words, '--script', script], { env })
  await until('it runs', async () => (await w.tpi('logs far', { env })).host.scriptText().includes('saved'))
  expect((await w.tpi('interrupt far', { env })).code).toBe(0)
  const ran = await run
  expect(ran.code).toBe(0)
  expect(ran.facts.slots).toMatchObject([{ attempt: 2 }])
  expect(await w.read('p/r')).toBe('one\nend\n')
  expect(await azurite.names('tasks')).toEqual([])
  expect(await w.filesWith(KEY)).toEqual([])
  expect(await w.remains()).toEqual([])
})
