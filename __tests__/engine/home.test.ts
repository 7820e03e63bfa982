/** What is kept of deployments in the home: files that vanish, and files that a power cut has left in pieces. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Status } from '../../src/engine/follow/status.ts'
import { recall, remember } from '../../src/engine/history.ts'
import { locate, located, unlocate } from '../../src/engine/locators.ts'

const AT = '2030-01-01T00:00:00.000Z'
const LATER = '2030-01-02T00:00:00.000Z'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-home-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const status = (id: string, createdAt: string): Status => ({
  id,
  name: id,
  cloud: 'one',
  mode: 'task',
  state: 'succeeded',
  outcome: 'success',
  exitCode: 0,
  createdAt,
  deadline: createdAt,
  endedAt: null,
  collected: true,
  destroyed: true,
  origin: {},
  store: 'dir:///x',
  slots: [],
})
const locator = (id: string) => ({ id, name: id, cloud: 'one', options: {} })

test('a record in pieces hides none of the others', async () => {
  expect([await recall(home), await located(home)]).toEqual([[], []])
  for (const id of ['tpi-a', 'tpi-b']) {
    await remember(home, status(id, id === 'tpi-a' ? AT : LATER))
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

test('whoever looks while others come and go sees those that are there', async () => {
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
