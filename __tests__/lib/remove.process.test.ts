import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { removeTree } from '../../src/lib/remove.ts'
import { asOrdinaryUser } from '../setup/ordinary.ts'

let folder: string
const { PATH } = process.env

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-remove-'))
})

afterEach(() => {
  process.env['PATH'] = PATH
  rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ['by the program of the system', PATH],
  ['where there is no such program', '/nowhere'],
])('removing %s', (_, path) => {
  test('removes whole trees, repeatedly, never through a link', async () => {
    process.env['PATH'] = path
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

  test('removes read-only trees, as an ordinary user and by several processes at once', async () => {
    process.env['PATH'] = path
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

  test('removes a file, and of a link only the link', async () => {
    process.env['PATH'] = path
    mkdirSync(join(folder, 'kept'))
    writeFileSync(join(folder, '-rf'), '')
    symlinkSync('kept', join(folder, 'link'))
    await removeTree(join(folder, '-rf'))
    await removeTree(join(folder, 'link'))
    expect(readdirSync(folder)).toEqual(['kept'])
  })
})

test('names the folder of another user, in which only that one can remove something', async () => {
  if (process.geteuid?.() !== 0) return
  mkdirSync(join(folder, 'tree/made'), { recursive: true })
  writeFileSync(join(folder, 'tree/made/file'), '')
  const removing = asOrdinaryUser([folder, join(folder, 'tree')], async () => removeTree(join(folder, 'tree')))
  await expect(removing).rejects.toThrow(`"${folder}/tree/made" belongs to root: remove it first (sudo rm -rf '${folder}/tree/made')`)
})

test('removes names that are not UTF-8', async () => {
  const tree = join(folder, 'tree')
  mkdirSync(tree)
  mkdirSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.of(0xff, 0xfe)]))
  writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.of(0xff, 0xfe), Buffer.from('/x')]), '')
  await removeTree(tree)
  expect(readdirSync(folder)).toEqual([])
})

test('what somebody else moves there meanwhile stays, and is no error', async () => {
  const real = await import('node:fs/promises')
  const path = join(folder, 'going')
  mkdirSync(join(folder, 'moved/deep'), { recursive: true })
  jest.resetModules()
  jest.unstable_mockModule('node:fs/promises', () => ({
    ...real,
    lstat: async (asked: string) => {
      const looked = real.lstat(asked)
      await Promise.allSettled([looked])
      if (asked === path && readdirSync(folder).includes('moved')) renameSync(join(folder, 'moved'), path)
      return await looked
    },
  }))
  const { removeTree: removed } = await import('../../src/lib/remove.ts')
  await removed(path)
  expect(readdirSync(folder)).toEqual(['going'])
  await removed(path)
  expect(readdirSync(folder)).toEqual([])
})
