import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  appendJson,
  createJson,
  hasCode,
  isGone,
  makePrivate,
  namesIn,
  readJson,
  readJsonLines,
  removeTree,
  tail,
  writeJson,
  writeWhole,
} from '../../src/lib/files.ts'
import { asOrdinaryUser } from '../setup/ordinary.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-files-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('whole files', () => {
  test('a write replaces, leaves nothing beside it, and is private unless told', async () => {
    const path = join(folder, 'a.json')
    await writeJson(path, { one: 1 })
    await writeJson(path, { two: 2 }, { durable: true })
    await writeWhole(join(folder, 'b'), 'text', { mode: 0o644 })
    expect(await readJson(path)).toEqual({ two: 2 })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'b')).mode & 0o777).toBe(0o644)
    expect(readdirSync(folder)).toEqual(['a.json', 'b'])
  })

  test('of many creators one wins, and its content stays', async () => {
    const path = join(folder, 'claim')
    const won = await Promise.all(Array.from({ length: 16 }, async (_, index) => createJson(path, { index })))
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await readJson(path)).toEqual({ index: won.indexOf(true) })
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
      const seen = await readJson<{ text: string }>(path)
      if (seen) expect(seen.text).toHaveLength(text.length)
    }
    await writer
  })

  test('a write that cannot end well leaves nothing', async () => {
    mkdirSync(join(folder, 'taken'))
    await expect(writeWhole(join(folder, 'taken'), 'x')).rejects.toThrow()
    await expect(writeWhole(join(folder, 'no/such'), 'x')).rejects.toThrow('ENOENT')
    expect(readdirSync(folder)).toEqual(['taken'])
  })
})

describe('reading', () => {
  test('missing and torn mean none; trouble is trouble', async () => {
    expect(await readJson(join(folder, 'none'))).toBeUndefined()
    writeFileSync(join(folder, 'torn'), '{"a":')
    expect(await readJson(join(folder, 'torn'))).toBeUndefined()
    writeFileSync(join(folder, 'file'), '')
    expect(await readJson(join(folder, 'file/below'))).toBeUndefined()
    await expect(readJson(folder)).rejects.toThrow('EISDIR')
  })

  test('lines: whole ones only', async () => {
    const path = join(folder, 'lines')
    expect(await readJsonLines(path)).toEqual([])
    await appendJson(path, { a: 1 })
    await appendJson(path, { b: '\n' })
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"cut`)
    expect(await readJsonLines(path)).toEqual([{ a: 1 }, { b: '\n' }])
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

describe('removing', () => {
  test('whole trees, again and again, never through a link', async () => {
    const outside = join(folder, 'outside')
    mkdirSync(join(folder, 'tree/deep'), { recursive: true })
    mkdirSync(outside)
    writeFileSync(join(outside, 'kept'), '')
    symlinkSync(outside, join(folder, 'tree/deep/link'))
    writeFileSync(join(folder, 'tree/deep/file'), '')
    chmodSync(join(folder, 'tree/deep'), 0o500)
    await removeTree(join(folder, 'tree'))
    await removeTree(join(folder, 'tree'))
    expect(readdirSync(folder)).toEqual(['outside'])
    expect(readdirSync(outside)).toEqual(['kept'])
  })

  test('read-only trees, as anybody but root and by several at once', async () => {
    const left = await asOrdinaryUser([folder], async () => {
      for (let round = 0; round < 20; round += 1) {
        for (const name of ['a/b/c', 'd/e', 'f']) {
          mkdirSync(join(folder, 'tree', name), { recursive: true })
          writeFileSync(join(folder, 'tree', name, 'file'), '')
        }
        for (const name of ['a/b/c', 'a/b', 'a', 'd/e', 'd', 'f', '']) chmodSync(join(folder, 'tree', name), 0o555)
        await Promise.all(['tree/a', 'tree/d', 'tree', 'tree'].map((path) => removeTree(join(folder, path))))
      }
      return readdirSync(folder)
    })
    expect(left).toEqual([])
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
