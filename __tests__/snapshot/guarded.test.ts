/** Folders in which a program without the rights of this process puts links. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openSaver } from '../../src/snapshot/save/save.ts'
import type { SaverOptions } from '../../src/snapshot/types.ts'
import { newPlace, type Place } from './place.ts'
import type { Home } from './trees.ts'

let home: Home
let folder: string
let place: Place

beforeEach(() => {
  ;({ home, folder, place } = newPlace())
})
afterEach(async () => home.remove())

/** Names of the saved files. During each scan, a link leads elsewhere between the look at a file in a folder and its reading. */
async function savedFiles(options: Partial<SaverOptions>): Promise<readonly string[]> {
  const [inside, aside, elsewhere] = [`${folder}/sub`, `${home.path}/aside`, `${home.path}/elsewhere`]
  for (const [path, text] of [
    [inside, 'own'],
    [elsewhere, 'key'],
  ] as const) {
    mkdirSync(path)
    writeFileSync(`${path}/file`, text)
  }
  writeFileSync(`${folder}/a`, '')
  let swapped = false
  const select = (path: string): boolean => {
    if (path === 'a' && swapped) {
      rmSync(inside)
      renameSync(aside, inside)
      swapped = false
    }
    if (path === 'sub/file') {
      renameSync(inside, aside)
      symlinkSync(elsewhere, inside)
      swapped = true
    }
    return true
  }
  const saver = await openSaver({ ...place, ...options, select })
  const saved = await saver.save({})
  return saved ? Array.from(saved.manifest.entries, ({ path }) => path) : []
}

test('what a link leads to that has replaced a folder is read only if the folder is not guarded', async () => {
  expect(await savedFiles({ guarded: true })).not.toContain('sub/file')
  for (const name of ['aside', 'elsewhere']) rmSync(`${home.path}/${name}`, { recursive: true, force: true })
  rmSync(`${folder}/sub`, { recursive: true, force: true })
  expect(await savedFiles({})).toContain('sub/file')
})
