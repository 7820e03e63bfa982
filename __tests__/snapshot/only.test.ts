/** Snapshots that look at some of the paths: all else in them is as it was published last. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { globs } from '../../src/lib/glob.ts'
import { download } from '../../src/snapshot/restore.ts'
import { openSaver } from '../../src/snapshot/save.ts'
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

/** Text of all files, by path. */
async function contents(saved: Saved | undefined): Promise<Readonly<Record<string, string>>> {
  if (!saved) return {}
  const target = mkdtempSync(`${home.path}/read-`)
  await download({ ...place, folder: target, refs: [{ ...saved.ref, epoch: 1 }] })
  const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [`${parentPath}/${name}`.slice(target.length + 1), readFileSync(`${parentPath}/${name}`, 'utf8')]),
  )
}

/** As a checkpoint does. */
async function save(how: Parameters<Saver['save']>[0]): Promise<Saved | undefined> {
  const saved = await saver.save(how)
  if (saved) saver.published(saved, [])
  return saved
}

test('what is named is as it is now, come and gone; of the rest, all is as it was', async () => {
  for (const name of ['data', 'junk', 'state', 'models/1']) write(name, 'old')
  await save({})
  for (const name of ['data', 'state', 'models/2', 'new']) write(name, 'new')
  for (const name of ['junk', 'models/1']) rmSync(`${folder}/${name}`)
  expect(await contents(await save({ only }))).toEqual({ data: 'old', junk: 'old', state: 'new', 'models/2': 'new' })
  write('data', 'newer')
  expect(await save({ only })).toBeUndefined()
  expect(await contents(await save({ final: true }))).toEqual({ data: 'newer', new: 'new', state: 'new', 'models/2': 'new' })
})

test('before anything was published nothing else is there, not even folders', async () => {
  mkdirSync(`${folder}/cache/deep`, { recursive: true })
  for (const name of ['cache/deep/1', 'models/1', 'data']) write(name, 'x')
  const saved = await save({ only })
  expect(await contents(saved)).toEqual({ 'models/1': 'x' })
  expect(Array.from(saved?.manifest.entries ?? [], ({ path }) => path)).toEqual(['models', 'models/1'])
})

test('what changes elsewhere meanwhile is no matter: nobody is held for it', async () => {
  let stored = 0
  place.store.fault = (call, key) => {
    if (call !== 'write' || !key.includes('/p-')) return
    stored += 1
    // Not only longer than before.
    write('busy', 'x'.repeat(100 - stored))
    if (stored < 3) write('state', `${stored}`.repeat(10 - stored))
  }
  const freeze: Freeze = { stop: () => Promise.reject(new Error('held')), resume: () => Promise.resolve() }
  for (const name of ['busy', 'state']) write(name, 'x'.repeat(100))
  // What is named was read again until it kept still, in the last of three rounds.
  expect(await saver.save({ only, freeze })).toMatchObject({ ref: { quiet: true, files: 1 }, unquiet: [] })
  expect(stored).toBe(3)
})

test('what is not named is not even read: a file in the way of the named ones costs nothing', async () => {
  write('big', 'x'.repeat(3_000_000))
  write('state', 'y')
  expect((await save({ only }))?.uploadedBytes).toBeLessThan(1000)
})
