/** The official client uses the double of the cache: what it reads and sends, and how it is refused, is as with GitHub's service. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type ResultsDouble, resultsDouble } from './results-service.ts'

let folder: string
let results: ResultsDouble

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-cache-'))
  results = await resultsDouble()
})

afterEach(async () => {
  await results.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Use {
  readonly key: string
  readonly path?: string
  readonly restore?: readonly string[]
  readonly branch?: string
  readonly permission?: number
}

interface Used {
  /** The key that was found. */
  readonly found: string
  readonly text: string
}

/** One step in its own folder, as on another machine. */
async function step(what: 'save' | 'restore', where: string, use: Use): Promise<Used> {
  const cwd = join(folder, where)
  mkdirSync(cwd, { recursive: true })
  const output = join(folder, 'output')
  writeFileSync(output, '')
  const env = {
    PATH: process.env['PATH'],
    GITHUB_WORKSPACE: cwd,
    RUNNER_TEMP: join(folder, 'temp'),
    GITHUB_OUTPUT: output,
    INPUT_KEY: use.key,
    INPUT_PATH: use.path ?? 'kept',
    'INPUT_RESTORE-KEYS': (use.restore ?? []).join('\n'),
    ...results.env('run-1', use.branch, use.permission),
  }
  const program = join(import.meta.dirname, 'cache-step.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, what], { cwd, env })
  const found = /^cache-matched-key<<(\S+)\n([\s\S]*?)\n\1$/m.exec(readFileSync(output, 'utf8'))?.[2] ?? ''
  return { found, text: stdout }
}

function write(where: string, content: string | Buffer, path = 'kept'): void {
  mkdirSync(join(folder, where, path), { recursive: true })
  writeFileSync(join(folder, where, path, 'file'), content)
}

const read = (where: string): Buffer => readFileSync(join(folder, where, 'kept/file'))
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('the cache as its client sees it', () => {
  test('what was saved is restored whole; an existing key is never written again', async () => {
    const bytes = randomBytes(3_000_000)
    write('one', bytes)
    await step('save', 'one', { key: 'model-1' })
    expect(results.caches.map(({ key, scope }) => [key, scope])).toEqual([['model-1', 'refs/heads/main']])
    expect((await step('restore', 'two', { key: 'model-1' })).found).toBe('model-1')
    expect(sha256(read('two'))).toBe(sha256(bytes))

    write('one', 'other')
    expect((await step('save', 'one', { key: 'model-1' })).text).toContain('Unable to reserve cache with key model-1')
    expect(results.caches).toHaveLength(1)
    await step('restore', 'three', { key: 'model-1' })
    expect(sha256(read('three'))).toBe(sha256(bytes))
    expect(results.calls).toEqual([
      'CreateCacheEntry',
      'FinalizeCacheEntryUpload',
      'GetCacheEntryDownloadURL',
      'CreateCacheEntry',
      'GetCacheEntryDownloadURL',
    ])
  })

  test('a prefix finds the newest cache; the first prefix that finds anything counts; other paths are another cache', async () => {
    for (const key of ['run-1', 'run-2', 'other-3']) {
      write('one', key)
      await step('save', 'one', { key })
    }
    const restore = async (where: string, use: Use): Promise<string> => (await step('restore', where, use)).found
    expect(await restore('a', { key: 'run-9', restore: ['run-', 'other-'] })).toBe('run-2')
    expect(read('a').toString()).toBe('run-2')
    expect(await restore('b', { key: 'run-9', restore: ['nothing-', 'other-'] })).toBe('other-3')
    expect(await restore('c', { key: 'run-1', restore: ['run-'] })).toBe('run-1')
    expect(await restore('d', { key: 'run-9' })).toBe('')
    expect(await restore('e', { key: 'run-1', path: 'elsewhere' })).toBe('')
  })

  test('a branch sees its own caches and those of main, main does not see the branch’s; with read access only, nothing is saved', async () => {
    write('one', 'of main')
    await step('save', 'one', { key: 'k-main' })
    write('one', 'of the branch')
    await step('save', 'one', { key: 'k-branch', branch: 'topic' })
    const use = { key: 'k-', restore: ['k-'] }
    expect((await step('restore', 'a', { ...use, branch: 'topic' })).found).toBe('k-branch')
    expect((await step('restore', 'b', { ...use, branch: 'another' })).found).toBe('k-main')
    expect((await step('restore', 'c', use)).found).toBe('k-main')
    expect((await step('save', 'one', { key: 'k-fork', branch: 'fork', permission: 1 })).text).toContain('cache write denied')
    expect(results.caches).toHaveLength(2)
  })
})
