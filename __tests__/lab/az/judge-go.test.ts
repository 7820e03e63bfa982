/** Microsoft's client for Go accepts what a command has made as a scale set of Azure: it reads, scales and deletes it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { cached, digestOf } from '../cache.ts'
import { Missing, orMissing } from '../missing.ts'
import { run } from '../shell.ts'
import { type Judged, startJudged } from './judged.ts'
import { tokenFor } from './token.ts'

// It is compiled once, at the lowest priority.
jest.setTimeout(600_000)

const SOURCE = join(import.meta.dirname, 'judge-go')

let judged: Judged | undefined
let judge: string | undefined
beforeAll(async () => {
  judge = await orMissing('no client of Microsoft for Go', compiled)
  judged = await startJudged()
}, 600_000)
afterAll(async () => await judged?.stop())

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

test('it sees the set with its machines and tags, enlarges it, removes machines and the set; tpi removes the rest', async () => {
  if (!judged || judge === undefined) return expect(process.env['CI']).toBeUndefined()
  const { endpoint, subscription, authority } = judged.lab
  const said = await run(judge, [endpoint, subscription, tokenFor('https://management.azure.com'), authority, judged.name])
  expect(JSON.parse(said)).toEqual({ set: [2, 'Flexible', 'Spot', 'judged'], machines: 2, scaled: [3, 3], 'one less': 2, left: 0 })
  await judged.over()
})
