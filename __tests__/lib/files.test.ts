import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { hasCode, isGone } from '../../src/lib/error-code.ts'
import {
  appendJson,
  createJson,
  flush,
  makePrivate,
  namesIn,
  readJson,
  readJsonLines,
  tail,
  writeJson,
  writeWhole,
} from '../../src/lib/files.ts'
import { text as anyText, count, json, object } from '../../src/lib/shape.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-files-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('whole files', () => {
  test('a write replaces, leaves no other file, and is private by default', async () => {
    const path = join(folder, 'a.json')
    await writeJson(path, { one: 1 })
    await writeJson(path, { two: 2 }, { durable: true })
    await writeWhole(join(folder, 'b'), 'text', { mode: 0o644 })
    expect(await readJson(path, json())).toEqual({ two: 2 })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'b')).mode & 0o777).toBe(0o644)
    expect(readdirSync(folder)).toEqual(['a.json', 'b'])
  })

  // The kernel's own folders, like those of some network file systems, cannot be flushed.
  const onLinux = process.platform === 'linux' ? test : test.skip
  onLinux('a folder that cannot be flushed is no failure; one that is missing is', async () => {
    await flush('/proc')
    await flush(folder)
    await expect(flush(join(folder, 'missing'))).rejects.toThrow('ENOENT')
  })

  test('of many creators one wins, and its content stays', async () => {
    const path = join(folder, 'claim')
    const won = await Promise.all(Array.from({ length: 16 }, async (_, index) => createJson(path, { index })))
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await readJson(path, json())).toEqual({ index: won.indexOf(true) })
    expect(await createJson(path, {}, { durable: true })).toBe(false)
    expect(readdirSync(folder)).toEqual(['claim'])
  })

  test('readers see whole records while writers write', async () => {
    const path = join(folder, 'record')
    const text = 'x'.repeat(100_000)
    const state = { writing: true }
    const writer = (async () => {
      for (let round = 0; round < 50; round += 1) await writeJson(path, { round, text })
      state.writing = false
    })()
    while (state.writing) {
      const seen = await readJson(path, object<{ text: string }>({ text: anyText(200_000) }))
      if (seen) expect(seen.text).toHaveLength(text.length)
    }
    await writer
  })

  test('a failed write leaves nothing', async () => {
    mkdirSync(join(folder, 'taken'))
    await expect(writeWhole(join(folder, 'taken'), 'x')).rejects.toThrow()
    await expect(writeWhole(join(folder, 'no/such'), 'x')).rejects.toThrow('ENOENT')
    expect(readdirSync(folder)).toEqual(['taken'])
  })
})

describe('reading', () => {
  test('missing and torn files mean none; other errors are thrown', async () => {
    expect(await readJson(join(folder, 'none'), json())).toBeUndefined()
    writeFileSync(join(folder, 'torn'), '{"a":')
    expect(await readJson(join(folder, 'torn'), json())).toBeUndefined()
    writeFileSync(join(folder, 'file'), '')
    expect(await readJson(join(folder, 'file/below'), json())).toBeUndefined()
    await expect(readJson(folder, json())).rejects.toThrow('EISDIR')
  })

  test('a file of the wrong shape means none, too', async () => {
    const path = join(folder, 'forged')
    const shape = object<{ a: number }>({ a: count() })
    await writeJson(path, { a: '1', b: 2 })
    expect(await readJson(path, shape)).toBeUndefined()
    await writeJson(path, { a: 1, b: 2 })
    expect(await readJson(path, shape)).toEqual({ a: 1 })
    for (const line of [{ a: 1 }, null, { a: -1 }, { a: 2 }]) await appendJson(join(folder, 'forged-lines'), line)
    expect(await readJsonLines(join(folder, 'forged-lines'), shape)).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('lines: only complete ones', async () => {
    const path = join(folder, 'lines')
    expect(await readJsonLines(path, json())).toEqual([])
    await appendJson(path, { a: 1 })
    await appendJson(path, { b: '\n' })
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"cut`)
    expect(await readJsonLines(path, json())).toEqual([{ a: 1 }, { b: '\n' }])
  })

  test('names and tails', async () => {
    expect(await namesIn(join(folder, 'none'))).toEqual([])
    writeFileSync(join(folder, 'log'), 'first line\nsecond line\nthird')
    expect(await namesIn(folder)).toEqual(['log'])
    expect(await tail(join(folder, 'log'), 1000)).toBe('first line\nsecond line\nthird')
    expect(await tail(join(folder, 'log'), 12)).toBe('third')
    expect(await tail(join(folder, 'none'), 10)).toBe('')
  })
})

test('private folders and error codes', async () => {
  await makePrivate(join(folder, 'p/q'))
  expect(statSync(join(folder, 'p/q')).mode & 0o777).toBe(0o700)
  const error = await readdirOf(join(folder, 'none'))
  expect([hasCode(error, 'ENOENT'), isGone(error), isGone(new Error('x')), hasCode(undefined, 'x')]).toEqual([true, true, false, false])
})

async function readdirOf(path: string): Promise<unknown> {
  try {
    return readdirSync(path)
  } catch (error) {
    return error
  }
}
