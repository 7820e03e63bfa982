/** While the script is held: what is copied, how, and what is left when that fails. */
import { existsSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { copyAside } from '../../src/snapshot/folder/copy-aside.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import type { Freeze, Saved } from '../../src/snapshot/types.ts'
import { newPlace, type Place } from './place.ts'
import type { Home } from './trees.ts'

const MIB = 1 << 20

let home: Home
let folder: string
let place: Place

beforeEach(() => {
  ;({ home, folder, place } = newPlace())
})
afterEach(async () => {
  jest.restoreAllMocks()
  await home.remove()
})

/** Saves a file of `size` bytes and a small one that never rest, so that the script is held once. */
async function save(size: number, freeze: Freeze): Promise<Saved> {
  const touch = (seconds: number): void => {
    writeFileSync(`${folder}/busy`, `version ${seconds}`)
    for (const name of ['busy', 'large']) utimesSync(`${folder}/${name}`, seconds, seconds)
  }
  writeFileSync(`${folder}/large`, '')
  truncateSync(`${folder}/large`, size)
  touch(1)
  let round = 1
  place.store.fault = (call, key) => {
    if (call === 'write' && key.includes('/p-') && round < 4) touch(++round)
  }
  return (await (await openSaver(place)).save({ freeze }))!
}

test('a large file is copied in pieces, between which heartbeats and timers have their turn', async () => {
  let [held, turns] = [false, 0]
  const count = (): void => {
    turns += 1
    if (held) setImmediate(count)
  }
  const stop = async (): Promise<void> => {
    held = true
    setImmediate(count)
  }
  // Small enough for any disk to copy in time.
  const saved = await save(12 * MIB, { stop, resume: async () => void (held = false) })
  expect(saved.manifest.unquiet).toEqual([])
  expect(turns).toBeGreaterThan(5)
  expect(existsSync(`${folder}.frozen`)).toBe(false)
})

test('copies that a disk is too slow for are given up as soon as that shows, and gone before the script goes on', async () => {
  const copied = (): number =>
    ['0', '1'].reduce((sum, name) => sum + (statSync(`${folder}.frozen/${name}`, { throwIfNoEntry: false })?.size ?? 0), 0)
  let most = 0
  const real = performance.now.bind(performance)
  // A disk that takes 20 MiB in a second.
  jest.spyOn(performance, 'now').mockImplementation(() => {
    most = Math.max(most, copied())
    return real() + (most / MIB) * 50
  })
  const left: boolean[] = []
  const saved = await save(40 * MIB, { stop: async () => undefined, resume: async () => void left.push(existsSync(`${folder}.frozen`)) })
  expect(saved.manifest.unquiet).toEqual(['busy', 'large'])
  expect(left).toEqual([false])
  expect(most).toBeLessThan(20 * MIB)
})

test.each([
  ['the time', () => performance.now() + 1500],
  ['the free space', () => Infinity],
])('what cannot fit into %s is not even begun', async (_, end) => {
  writeFileSync(`${folder}/large`, '')
  truncateSync(`${folder}/large`, 2 ** 42)
  const large = { path: 'large', source: `${folder}/large`, size: 2 ** 42 }
  expect(await copyAside([large], `${folder}.frozen`, end())).toBeUndefined()
  expect(existsSync(`${folder}.frozen`)).toBe(false)
})
