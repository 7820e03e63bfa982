/** Records of deployments in the home: files that disappear, and files that a power cut has torn. */
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { recall, remember } from '../../src/engine/history.ts'
import { locate, located, unlocate } from '../../src/engine/locators.ts'
import { endedRun } from '../setup/ended-run.ts'

const AT = '2030-01-01T00:00:00.000Z'
const LATER = '2030-01-02T00:00:00.000Z'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-home-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const locator = (id: string) => ({ id, name: id, cloud: 'one', options: {} })

test('a torn record does not hide the others', async () => {
  expect([await recall(home), await located(home)]).toEqual([[], []])
  for (const id of ['tpi-a', 'tpi-b']) {
    await remember(home, endedRun(id, id === 'tpi-a' ? AT : LATER))
    await locate(home, locator(id))
  }
  for (const folder of ['history', 'deployments'])
    for (const [name, text] of [
      ['tpi-c.json', ''],
      ['tpi-d.json', '{"id":"tpi-d","na'],
      ['tpi-e.json', '{"id":"../e","name":"e","cloud":"one","options":{}}'],
    ] as const)
      await writeFile(join(home, folder, name), text)
  expect((await recall(home)).map(({ id }) => id)).toEqual(['tpi-b', 'tpi-a'])
  expect((await located(home)).map(({ id }) => id)).toEqual(['tpi-a', 'tpi-b'])
})

test('every run of a name is remembered separately, with what an earlier call knew', async () => {
  await remember(home, endedRun('tpi-a', AT, { price: 2, results: '3 files' }))
  await remember(home, endedRun('tpi-a', LATER))
  await remember(home, endedRun('tpi-a', AT, { destroyed: false }))
  expect(await recall(home)).toMatchObject([
    { createdAt: LATER, destroyed: true },
    { createdAt: AT, destroyed: false, price: 2, results: '3 files' },
  ])
  expect((await recall(home))[0]).not.toHaveProperty('price')
})

test('the oldest go first, by number and by size, and the newest never', async () => {
  const ids = ['tpi-a', 'tpi-b', 'tpi-c', 'tpi-d']
  for (const [index, id] of ids.entries()) {
    await remember(home, endedRun(id, AT), { runs: 3, bytes: 1e6 })
    await utimes(join(home, 'history', `${id}.20300101000000.json`), index, index)
  }
  expect((await recall(home)).map(({ id }) => id).sort()).toEqual(['tpi-b', 'tpi-c', 'tpi-d'])
  await remember(home, endedRun('tpi-e', AT), { runs: 3, bytes: 1 })
  expect((await recall(home)).map(({ id }) => id)).toEqual(['tpi-e'])
})

test('a look while others come and go finds those that are there', async () => {
  await locate(home, locator('tpi-stays'))
  const comings = async (): Promise<void> => {
    for (let round = 0; round < 100; round++) {
      await locate(home, locator(`tpi-${round}`))
      await unlocate(home, `tpi-${round}`)
    }
  }
  const looks = async (): Promise<void> => {
    for (let look = 0; look < 200; look++) expect((await located(home)).map(({ id }) => id)).toContain('tpi-stays')
  }
  await Promise.all([comings(), looks()])
  expect(await readdir(join(home, 'deployments'))).toEqual(['tpi-stays.json'])
})
