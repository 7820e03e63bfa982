import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { identityOf, type Placed, type PlaceOptions, place, readNote, writeNote } from '../../src/engine/place.ts'
import type { Entry } from '../../src/snapshot/types.ts'

let root: string
let here: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'place-'))
  here = join(root, 'here')
  await mkdir(here)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const entry = (path: string, content: string): Entry => ({
  type: 'file',
  path,
  mode: 0o644,
  mtime: '0',
  size: content.length,
  hash: hash('sha256', content),
  pieces: [],
})

async function bring(path: string, content: string, options: Partial<PlaceOptions> = {}): Promise<Placed> {
  const from = join(root, 'incoming')
  await writeFile(from, content)
  return place([{ from, path, entry: entry(path, content) }], { folder: here, before: () => undefined, delivered: {}, ...options })
}
const text = (path: string): Promise<string> => readFile(join(here, path), 'utf8')

describe('placing results', () => {
  test('a new file lands, folders are made', async () => {
    expect((await bring('a/b/c.txt', 'new')).written).toEqual(['a/b/c.txt'])
    expect(await text('a/b/c.txt')).toBe('new')
  })

  test('a file unchanged since the upload is replaced', async () => {
    await writeFile(join(here, 'f'), 'uploaded')
    expect((await bring('f', 'result', { before: () => entry('f', 'uploaded') })).written).toEqual(['f'])
    expect(await text('f')).toBe('result')
  })

  test('a file that changed since the upload is never written over: ours lies beside it', async () => {
    await writeFile(join(here, 'f'), 'edited meanwhile')
    const placed = await bring('f', 'result', { before: () => entry('f', 'uploaded') })
    expect(placed.beside).toEqual(['f'])
    expect(await text('f')).toBe('edited meanwhile')
    expect(await text('f~')).toBe('result')
  })

  test('what an earlier delivery of ours left is replaced, unless somebody touched it', async () => {
    await bring('f', 'half')
    const delivered = { f: identityOf(entry('f', 'half')) }
    expect((await bring('f', 'whole', { delivered })).written).toEqual(['f'])
    await writeFile(join(here, 'f'), 'mine now')
    expect((await bring('f', 'again', { delivered })).beside).toEqual(['f'])
    expect(await text('f')).toBe('mine now')
  })

  test('equal content is left alone', async () => {
    await writeFile(join(here, 'f'), 'same')
    expect(await bring('f', 'same')).toMatchObject({ same: ['f'], written: [], beside: [] })
  })

  test('in a folder of its own, files older than the deployment give way and younger ones do not', async () => {
    await writeFile(join(here, 'f'), 'old results')
    await utimes(join(here, 'f'), 1, 1)
    expect((await bring('f', 'result', { olderThan: new Date(Date.now() + 60_000) })).written).toEqual(['f'])
    await writeFile(join(here, 'g'), 'written while it ran')
    expect((await bring('g', 'result', { olderThan: new Date(Date.now() - 60_000) })).beside).toEqual(['g'])
  })

  test('a link is replaced by a link and never followed', async () => {
    await writeFile(join(root, 'outside'), 'precious')
    await symlink(join(root, 'outside'), join(here, 'f'))
    await bring('f', 'result')
    expect(await readFile(join(root, 'outside'), 'utf8')).toBe('precious')
    expect(await readlink(join(here, 'f'))).toBe(join(root, 'outside'))
    expect(await text('f~')).toBe('result')
  })

  test('a folder where a file should go stays', async () => {
    await mkdir(join(here, 'f'))
    expect((await bring('f', 'result')).beside).toEqual(['f'])
  })

  test('the note of deliveries survives', async () => {
    const path = join(root, 'deep', 'note.json')
    expect(await readNote(path)).toEqual({})
    const placed = ['f', 'g', 'mine'].map((name) => ({ path: name, entry: entry(name, 'new') }))
    const now = identityOf(entry('', 'new'))
    await writeNote(path, {}, [], new Set())
    expect(await readNote(path)).toEqual({})
    await writeNote(path, { f: 'file old', 'h "quoted"': 'link x' }, placed, new Set(['mine']))
    expect(await readNote(path)).toEqual({ f: now, g: now, 'h "quoted"': 'link x' })
  })

  test('commands that deliver the same to different folders at once do not take the note from each other', async () => {
    const path = join(root, 'note.json')
    const placed = Array.from({ length: 2000 }, (_, n) => ({ path: `f${n}`, entry: entry(`f${n}`, String(n)) }))
    await Promise.all(Array.from({ length: 8 }, () => writeNote(path, {}, placed, new Set())))
    expect(Object.keys(await readNote(path))).toHaveLength(placed.length)
    expect((await readdir(root)).filter((name) => name.includes('.part'))).toEqual([])
  })
})
