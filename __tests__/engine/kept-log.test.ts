/** The log that is kept of a run after its store is gone. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { logOf, remember } from '../../src/engine/history.ts'
import { hasLog, LogKeeper, readKept } from '../../src/engine/kept-log.ts'
import type { LogPiece } from '../../src/engine/log-reader.ts'
import { maskedCopy } from '../../src/engine/masked-copy.ts'
import { endedRun } from '../setup/ended-run.ts'

const AT = '2030-01-01T00:00:00.000Z'
const RUN = { id: 'tpi-fit-0123456789', createdAt: AT }

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-kept-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const piece = (slot: number, text: string | Uint8Array): LogPiece => ({
  slot,
  epoch: 1,
  stream: 'script',
  at: AT,
  bytes: Buffer.from(text),
})

const legible = (one: LogPiece) => ({ ...one, bytes: Buffer.from(one.bytes).toString('latin1') })

async function all() {
  const pieces: ReturnType<typeof legible>[] = []
  for await (const one of readKept(home, RUN)) pieces.push(legible(one))
  return pieces
}

test('comes back byte for byte, also in many parts', async () => {
  const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 256)
  const pushed = [piece(0, 'a\n'), piece(1, ''), piece(0, bytes), piece(1, '{"size":3}\n'), piece(0, bytes), piece(0, 'end')]
  const keeper = new LogKeeper(home, RUN)
  for (const one of pushed) keeper.push(one)
  expect(await hasLog(home, RUN)).toBe(false)
  await keeper.keep()
  expect(await hasLog(home, RUN)).toBe(true)
  expect(await all()).toEqual(pushed.map(legible))
  expect(await readdir(join(home, 'history'))).toEqual(['tpi-fit-0123456789.20300101000000.log.gz'])
})

test('what was printed beyond the limit is reported as missing', async () => {
  const keeper = new LogKeeper(home, RUN, 1000)
  const noise = Uint8Array.from({ length: 300_000 }, (_, at) => (at * at * 31 + (at >> 3)) % 251)
  for (let round = 0; round < 3; round++) keeper.push(piece(0, noise))
  await keeper.keep()
  const kept = await all()
  expect(kept).toHaveLength(2)
  expect(kept[1]).toMatchObject({ stream: 'warning', bytes: 'the rest of this log was not kept: it is too long\n' })
})

test('nothing is kept of an abandoned run, nor of one that printed nothing', async () => {
  const left = new LogKeeper(home, RUN)
  for (let round = 0; round < 10; round++) left.push(piece(0, Buffer.alloc(100_000, 'x')))
  expect(await readdir(join(home, 'history'))).toHaveLength(1)
  await left.drop()
  await new LogKeeper(home, RUN).keep()
  expect(await readdir(join(home, 'history'))).toEqual([])
})

test('a disk that cannot store it is reported once', async () => {
  await writeFile(join(home, 'history'), 'no folder')
  const keeper = new LogKeeper(home, RUN)
  keeper.push(piece(0, 'a'))
  await expect(keeper.keep()).rejects.toMatchObject({ code: expect.stringMatching(/EEXIST|ENOTDIR/) })
})

test('one that another command removes in the meantime is an error of this reader', async () => {
  await expect(all()).rejects.toMatchObject({ code: 'ENOENT' })
})

test('one that is cut off is an error, not a short log', async () => {
  const keeper = new LogKeeper(home, RUN)
  keeper.push(piece(0, 'some words that were printed'))
  await keeper.keep()
  await truncate(logOf(home, RUN), 60)
  await expect(all()).rejects.toThrow(/unexpected end of file/)
})

test('one that is damaged, or of another version, is no bug of this program', async () => {
  await mkdir(dirname(logOf(home, RUN)), { recursive: true })
  for (const bytes of ['no gzip', gzipSync('{"slot":"first"}\nwords'), gzipSync('words without a head\n')]) {
    await writeFile(logOf(home, RUN), bytes)
    await expect(all()).rejects.toMatchObject({ outcome: 'remote-error', message: expect.stringContaining(`has of ${RUN.id} is damaged`) })
  }
})

test('a copy that cannot be completed leaves nothing behind', async () => {
  // Names the run alone, whatever others have left there.
  const run = endedRun(`tpi-torn-${randomBytes(5).toString('hex')}`, AT)
  await remember(home, run)
  const keeper = new LogKeeper(home, run)
  keeper.push(piece(0, 'some words that were printed'))
  await keeper.keep()
  await truncate(logOf(home, run), 60)
  await expect(maskedCopy(home, run, [])).rejects.toThrow(/unexpected end of file/)
  const copies = (await readdir(tmpdir())).filter((name) => name.startsWith('tpi-log-'))
  const kept = await Promise.all(copies.map((name) => readdir(join(tmpdir(), name, 'history')).catch(() => [])))
  expect(kept.flat().filter((name) => name.startsWith(run.id))).toEqual([])
})

test('is removed with its record, when that is among the oldest', async () => {
  await remember(home, endedRun('tpi-fit-0123456789', AT))
  const keeper = new LogKeeper(home, RUN)
  keeper.push(piece(0, 'a'))
  await keeper.keep()
  await remember(home, endedRun('tpi-other-0123456789', AT), { runs: 1, bytes: 1e6 })
  expect(await readdir(join(home, 'history'))).toEqual(['tpi-other-0123456789.20300101000000.json'])
})
