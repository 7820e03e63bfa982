/** Microsoft's client for Go, which nobody here wrote, takes what a command has made for a scale set of Azure: it reads, scales and deletes it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import { type World, world } from '../../setup/world.ts'
import { cached, digestOf } from '../cache.ts'
import { Missing, orMissing } from '../missing.ts'
import { run } from '../shell.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { type AzLab, startAzLab } from './lab.ts'
import { tokenFor } from './token.ts'

// It is compiled once, at the lowest priority.
jest.setTimeout(600_000)

const HOUR = 3_600_000
const SOURCE = join(import.meta.dirname, 'judge-go')

let lab: AzLab | undefined
let w: World
let judge: string | undefined
beforeAll(async () => {
  judge = await orMissing('no client of Microsoft for Go', compiled)
  // What keeps the number would take it back within seconds, and is not looking now.
  lab = await startAzLab({ pace: [HOUR, HOUR] })
  w = await world()
  await shareRuntime(w.home)
  await w.write('p/data', 'one\n')
}, 600_000)
afterAll(async () => {
  await w?.end()
  await lab?.stop()
})

async function compiled(): Promise<string> {
  const files = await Promise.all(['go.mod', 'go.sum', 'main.go'].map(async (name) => readFile(join(SOURCE, name), 'utf8')))
  try {
    const folder = await cached('judge-go', digestOf(...files), async (into) => {
      const build = ['go', 'build', '-mod=readonly', '-buildvcs=false', '-trimpath', '-o', `${into}/judge`, '.']
      await run('nice', ['-n', '19', ...build], { cwd: SOURCE, env: { ...process.env, CGO_ENABLED: '0' } })
    })
    return join(folder, 'judge')
  } catch (error) {
    throw new Missing(`it could not be built: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

test('it sees the set with its machines and tags, makes it larger, takes machines and all of it away; what is left goes by our command', async () => {
  if (!lab || judge === undefined) return expect(process.env['CI']).toBeUndefined()
  const { env, endpoint, subscription, authority, front, world: cloud } = lab
  const before = await lab.inventory()
  const words = 'task --cloud az --machine Standard_D2s_v5 --spot --name judged --parallelism 2 --workdir p --detach --script true --json'
  expect(await w.tpi(words.split(' '), { env })).toMatchObject({ code: 0 })
  await until('its machines are up', () => cloud.fleet.present('westeurope').filter(({ state }) => state === 'up').length === 2)
  const [set] = front.sets.all()
  const said = await run(judge, [endpoint, subscription, tokenFor('https://management.azure.com'), authority, set?.name ?? ''])
  expect(JSON.parse(said)).toEqual({ set: [2, 'Flexible', 'Spot', 'judged'], machines: 2, scaled: [3, 3], 'one less': 2, left: 0 })
  expect(await w.tpi('destroy judged --discard --json', { env })).toMatchObject({ code: 0 })
  await untilSame('the subscription is as before', async () => lab?.inventory(), before)
})
