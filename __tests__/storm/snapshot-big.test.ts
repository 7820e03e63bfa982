import { spawnSync } from 'node:child_process'
import { closeSync, lstatSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { restore } from '../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import { open } from '../../src/stores/dir/index.ts'
import type { Store } from '../../src/wire/store.ts'
import { differences, picture } from '../snapshot/trees.ts'
import { sampled } from './random.ts'

let home: string
let folder: string
let place: { store: Store; root: string; at: string; warn: (message: string) => void }
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'snapshot-big-'))
  folder = `${home}/work`
  mkdirSync(folder)
  const store = await open({ url: `dir://${home}/store` })
  await store.init('id/one/')
  place = { store, root: 'id/one/', at: 'slots/0/snap/', warn: (message) => expect(message).toBe('no warning') }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function saveAndRestore(): Promise<void> {
  const saved = await (await openSaver({ ...place, folder })).save({})
  await restore({ ...place, refs: [{ ...saved!.ref, epoch: 1 }], folder: `${home}/again` })
}

/** Each takes a minute or more. */
const trees: Readonly<Record<string, () => Promise<void>>> = {
  '100 000 small files come back as they were': async () => {
    for (let number = 0; number < 100_000; number++) {
      const at = `${folder}/${number % 317}`
      if (number < 317) mkdirSync(at)
      writeFileSync(`${at}/file ${number}`, `content of ${number}`.repeat(number % 50))
    }
    await saveAndRestore()
    expect(differences(picture(folder), picture(`${home}/again`))).toEqual([])
  },

  'a sparse file of 6 GiB comes back equal and equally sparse': async () => {
    const size = 6 * 1024 ** 3
    const path = `${folder}/sparse`
    writeFileSync(path, '')
    truncateSync(path, size)
    const fd = openSync(path, 'r+')
    const marks = [0, 123_456_789, 4 * 1024 ** 3 - 5, 5 * 1024 ** 3 + 1, size - 10]
    for (const at of marks) writeSync(fd, `mark ${at}`.slice(0, 10), at)
    closeSync(fd)
    await saveAndRestore()
    expect(spawnSync('cmp', [path, `${home}/again/sparse`]).status).toBe(0)
    const { size: restored, blocks } = lstatSync(`${home}/again/sparse`)
    expect([restored, blocks * 512 < 2_000_000]).toEqual([size, true])
  },

  'the modules of this project come back as they were, through a folder store': async () => {
    const modules = `${import.meta.dirname}/../../node_modules`
    const saved = await (await openSaver({ ...place, folder: modules })).save({})
    await restore({ ...place, refs: [{ ...saved!.ref, epoch: 1 }], folder: `${home}/again` })
    expect(differences(picture(modules), picture(`${home}/again`))).toEqual([])
  },
}

test.each(sampled(Object.entries(trees)))('%s', async (_title, comeBack) => comeBack(), 300_000)
