/** Snapshots that save only some of the paths: everything else in them is as it was last published. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { globs } from '../../src/lib/glob.ts'
import { download } from '../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import type { Freeze, Saved, Saver } from '../../src/snapshot/types.ts'
import { newPlace, type Place } from './place.ts'
import type { Home } from './trees.ts'

const only = globs(['models', 'state'])

let home: Home
let folder: string
let place: Place
let saver: Saver

beforeEach(async () => {
  ;({ home, folder, place } = newPlace())
  mkdirSync(`${folder}/models`)
  saver = await openSaver(place)
})
afterEach(() => home.remove())

const write = (name: string, text: string): void => writeFileSync(`${folder}/${name}`, text)

/** The text of every file, by path. */
async function contents(saved: Saved | undefined): Promise<Readonly<Record<string, string>>> {
  if (!saved) return {}
  const target = mkdtempSync(`${home.path}/read-`)
  await download({ ...place, folder: target, refs: [{ ...saved.ref, epoch: 1 }] })
  const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [`${parentPath}/${name}`.slice(target.length + 1), readFileSync(`${parentPath}/${name}`, 'utf8')]),
  )
}

/** Like a checkpoint. */
async function save(how: Parameters<Saver['save']>[0]): Promise<Saved | undefined> {
  const saved = await saver.save(how)
  if (saved) saver.published(saved, [])
  return saved
}

test('named paths are saved as they are now, new and removed ones included; the rest is as it was', async () => {
  for (const name of ['data', 'junk', 'state', 'models/1']) write(name, 'old')
  await save({})
  for (const name of ['data', 'state', 'models/2', 'new']) write(name, 'new')
  for (const name of ['junk', 'models/1']) rmSync(`${folder}/${name}`)
  expect(await contents(await save({ only }))).toEqual({ data: 'old', junk: 'old', state: 'new', 'models/2': 'new' })
  write('data', 'newer')
  expect(await save({ only })).toBeUndefined()
  expect(await contents(await save({ final: true }))).toEqual({ data: 'newer', new: 'new', state: 'new', 'models/2': 'new' })
})

test('before the first published snapshot they contain nothing else, not even folders', async () => {
  mkdirSync(`${folder}/cache/deep`, { recursive: true })
  for (const name of ['cache/deep/1', 'models/1', 'data']) write(name, 'x')
  const saved = await save({ only })
  expect(await contents(saved)).toEqual({ 'models/1': 'x' })
  expect(Array.from(saved?.manifest.entries ?? [], ({ path }) => path)).toEqual(['models', 'models/1'])
})

test('changes elsewhere do not matter: the script is not held for them', async () => {
  let stored = 0
  place.store.fault = (call, key) => {
    if (call !== 'write' || !key.includes('/p-')) return
    stored += 1
    // Not only longer: a file that only grows counts as quiet.
    write('busy', 'x'.repeat(100 - stored))
    if (stored < 3) write('state', `${stored}`.repeat(10 - stored))
  }
  const freeze: Freeze = { stop: () => Promise.reject(new Error('held')), resume: () => Promise.resolve() }
  for (const name of ['busy', 'state']) write(name, 'x'.repeat(100))
  // The named file was read again until it was quiet, in the last of three rounds.
  expect(await saver.save({ only, freeze })).toMatchObject({ ref: { quiet: true, files: 1 } })
  expect(stored).toBe(3)
})

test('what is not named is not even read: other large files cost nothing', async () => {
  write('big', 'x'.repeat(3_000_000))
  write('state', 'y')
  expect((await save({ only }))?.uploadedBytes).toBeLessThan(1000)
})
