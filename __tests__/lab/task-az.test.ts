/** Cloud local with its store in an Azure container, with the account's key. */
import http from 'node:http'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { closed, listening } from '../setup/listening.ts'
import { type World, world } from '../setup/world.ts'
import { ACCOUNT, type Azurite, KEY, startAzurite } from './az/azurite.ts'
import { playStoredTask } from './stored-task.ts'
import { bodyFrom } from './vm/asked.ts'
import { relay } from './vm/relay.ts'

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
  const env = { AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_SERVICE_ENDPOINT: azurite.endpoint, KEY: 'canary-over-az-41' }
  await playStoredTask(w, url, env)
  expect(await azurite.names('tasks')).toEqual([])
  expect(await w.filesWith(KEY)).toEqual([])
})

/** Such an account gives each entry of a list its type: https://learn.microsoft.com/rest/api/storageservices/list-blobs#response-body */
test('an account with a hierarchical namespace is refused before anything is made in it, by starting commands and by the doctor', async () => {
  if (!azurite) return expect(process.env['CI']).toBeUndefined()
  const { port } = azurite
  const { url } = await azurite.access('lake')
  const lake = http.createServer((request, response) => {
    void (async () => {
      const { status, headers, body } = await relay(request, (await bodyFrom(request)) ?? Buffer.alloc(0), { port, secure: false })
      const said = Buffer.from(
        body.toString('latin1').replaceAll('<Properties>', '<Properties><ResourceType>file</ResourceType>'),
        'latin1',
      )
      response.writeHead(status, request.method === 'HEAD' ? headers : { ...headers, 'content-length': said.length }).end(said)
    })()
  })
  const endpoint = `http://127.0.0.1:${await listening(lake)}/${ACCOUNT}`
  const env = { AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_SERVICE_ENDPOINT: endpoint }
  try {
    const words = ['task', '--name', 'lake', '--storage', url, '--workdir', 'none', '--json', '--script', 'true']
    const ran = await w.tpi(words, { env })
    expect([ran.code, ran.facts.outcome]).toEqual([64, 'invalid'])
    expect(ran.host.lines.join('\n')).toContain(`the account "${ACCOUNT}" has a hierarchical namespace`)
    const looked = await w.tpi(['doctor', '--cloud', 'local', '--storage', url, '--json'], { env })
    expect([looked.code === 0, JSON.stringify(looked.facts)]).toEqual([false, expect.stringContaining('has a hierarchical namespace')])
    expect(await azurite.names('lake')).toEqual([])
    expect(await w.remains()).toEqual([])
  } finally {
    await closed(lake)
  }
})
