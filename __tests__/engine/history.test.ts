/** How much history of removed runs is kept: the bounds that the documents promise, and commands apply. */
import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { keptOf, recall, remember } from '../../src/engine/history.ts'
import { endedRun } from '../setup/ended-run.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-history-'))
  await mkdir(join(home, 'history'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** One run a minute, each with a sparse log. */
async function ran(minute: number, logBytes: number): Promise<string> {
  const at = new Date(Date.UTC(2020, 0, 1, 0, minute))
  const past = endedRun(`tpi-r${minute}-0123456789`, at.toISOString())
  const { files } = keptOf(home, past)
  for (const [index, path] of files.entries()) {
    await writeFile(path, index === 0 ? JSON.stringify(past) : '')
    if (index === 1) await truncate(path, logBytes)
    await utimes(path, at, at)
  }
  return past.id
}

const now = endedRun('tpi-now-0123456789', '2031-01-01T00:00:00.000Z')
const names = async (): Promise<string[]> => (await recall(home)).map(({ id }) => id)

test('the newest two hundred runs, with their logs', async () => {
  const ids: string[] = []
  for (let minute = 0; minute < 205; minute++) ids.push(await ran(minute, 1000))
  await remember(home, now)
  expect(await names()).toEqual([now.id, ...ids.slice(6).reverse()])
  expect(await readdir(join(home, 'history'))).toHaveLength(2 * 199 + 1)
})

test('the newest half a gigabyte; the last run in any case', async () => {
  const ids: string[] = []
  for (let minute = 0; minute < 5; minute++) ids.push(await ran(minute, 160e6))
  await remember(home, now)
  expect(await names()).toEqual([now.id, ids[4], ids[3], ids[2]])
  const { files } = keptOf(home, now)
  await writeFile(files[1] ?? '', '')
  await truncate(files[1] ?? '', 600e6)
  await remember(home, now)
  expect(await names()).toEqual([now.id])
})

test('how many records this version cannot read is said', async () => {
  await remember(home, now)
  const [file = ''] = keptOf(home, endedRun('tpi-newer-0123456789', now.createdAt)).files
  await writeFile(file, JSON.stringify({ ...now, outcome: 'paused' }))
  const unread: number[] = []
  expect((await recall(home, (count) => unread.push(count))).map(({ id }) => id)).toEqual([now.id])
  expect(unread).toEqual([1])
})
