import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Backlog, BOUND, MEMORY } from '../../src/agent/telemetry/backlog.ts'
import { LogShipper } from '../../src/agent/telemetry/log-shipper.ts'
import { tidyUp } from '../../src/lib/heap.ts'
import { layout } from '../../src/wire/layout.ts'
import { decodeSegment } from '../../src/wire/log.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { smallDisk } from '../setup/small-disk.ts'
import { until } from '../setup/wait.ts'
import { nap } from './kit.ts'

const AT = '2026-01-01T00:00:00.000Z'
let folder = ''
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'tpi-backlog-'))))
afterEach(async () => rm(folder, { recursive: true, force: true }))

describe('what waits for the store', () => {
  test('comes out in order, from memory and from the file, streams apart', () => {
    const backlog = new Backlog(join(folder, 'spool'))
    const block = (n: number): Buffer => Buffer.alloc(1 << 20, n)
    for (let n = 0; n < 12; n++) backlog.push({ stream: n === 6 ? 'agent' : 'script', at: AT, bytes: block(n) })
    expect(existsSync(join(folder, 'spool'))).toBe(true)
    expect(backlog.size).toBe(12 << 20)
    const out: [string, number][] = []
    for (let run = backlog.take(3 << 20); run; run = backlog.take(3 << 20)) {
      for (const part of run.parts) out.push([run.stream, part[0]!])
      if (out.length === 6) backlog.push({ stream: 'script', at: AT, bytes: block(12) })
    }
    expect(out).toEqual(Array.from({ length: 13 }, (_, n) => [n === 6 ? 'agent' : 'script', n]))
    expect(backlog.size).toBe(0)
    backlog.close()
    expect(existsSync(join(folder, 'spool'))).toBe(false)
  })

  test('makes the writer wait beyond its bound, and as soon as memory is used up if there is no room for a file', () => {
    expect(BOUND).toBeGreaterThan(MEMORY)
    const backlog = new Backlog(join(folder, 'missing', 'spool'))
    backlog.push({ stream: 'script', at: AT, bytes: Buffer.alloc(MEMORY) })
    expect(backlog.full).toBe(false)
    backlog.push({ stream: 'script', at: AT, bytes: Buffer.from('more') })
    expect(backlog.full).toBe(true)
    expect(backlog.take(MEMORY)?.length).toBe(MEMORY)
    expect(backlog.full).toBe(false)
    expect(Buffer.concat(backlog.take(10)!.parts).toString()).toBe('more')
  })
})

test('millions of short lines do not become millions of pieces in memory, and come out whole', () => {
  const backlog = new Backlog(join(folder, 'spool'))
  const lines = 600_000
  tidyUp()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < lines; n++) backlog.push({ stream: 'script', at: AT, bytes: Buffer.from(`${1_000_000 + n}\n`) })
  tidyUp()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 << 20)
  let next = 0
  for (let run = backlog.take(2 << 20); run; run = backlog.take(2 << 20)) {
    expect(run.length).toBeLessThan(3 << 20)
    for (const line of Buffer.concat(run.parts).toString().trimEnd().split('\n')) if (line === String(1_000_000 + next)) next++
  }
  expect(next).toBe(lines)
  backlog.close()
})

test('the file does not grow beyond the bound, however long some of it waits, and all of it comes out in order', () => {
  const spool = join(folder, 'spool')
  const bound = 4 << 20
  const backlog = new Backlog(spool, bound)
  // The file is no multiple of a block, so some blocks go on at its beginning.
  const block = (n: number): Buffer => Buffer.alloc(100_003, `block ${n}\n`)
  const blocks = 300
  let pushed = 0
  let taken = 0
  const take = (): void => {
    for (const part of backlog.take(1)!.parts) if (block(taken).equals(part)) taken++
  }
  for (; pushed < blocks; pushed++) {
    while (backlog.full) take()
    backlog.push({ stream: 'script', at: AT, bytes: block(pushed) })
  }
  expect(statSync(spool).size).toBeLessThanOrEqual(bound + MEMORY)
  while (backlog.size > 0) take()
  expect(taken).toBe(blocks)
  backlog.close()
})

test('a disk that fills up makes the writer wait, and what is in the file stays there until its turn', async () => {
  const unmount = smallDisk(folder, '4m')
  if (!unmount) return
  try {
    const spool = join(folder, 'spool')
    const backlog = new Backlog(spool)
    let pushed = 0
    const push = (): void => backlog.push({ stream: 'script', at: AT, bytes: Buffer.alloc(1 << 19, pushed++) })
    while (!backlog.full) push()
    // A reader that has already read something hands it in even if the backlog is full.
    push()
    expect(pushed).toBeLessThan(16)
    expect(statSync(spool).size).toBeGreaterThan(3 << 20)
    const out: number[] = []
    for (let run = backlog.take(1); run; run = backlog.take(1)) {
      for (const part of run.parts) out.push(part[0]!)
      if (out.length === 3) push()
    }
    expect(out).toEqual(Array.from({ length: pushed }, (_, n) => n))
    expect(backlog.full).toBe(false)
    for (let more = 0; more < 6; more++) push()
    expect({ full: backlog.full, size: backlog.size, inFile: statSync(spool).size }).toEqual({
      full: false,
      size: 3 << 20,
      inFile: 1 << 20,
    })
    backlog.close()
  } finally {
    unmount()
  }
})

describe('shipping', () => {
  test('keeps one segment in flight, and ships what came meanwhile as one', async () => {
    const written: string[] = []
    let flying = 0
    let most = 0
    const write = async (key: string, body: Uint8Array): Promise<string> => {
      most = Math.max(most, ++flying)
      await nap(30)
      flying--
      written.push(`${key.slice(-10)}:${Buffer.from(decodeSegment(body, 'log').bytes).toString()}`)
      return 'v'
    }
    const shipper = open({ write })
    shipper.write('script', Buffer.from('one\n'))
    await until('the first one is on its way', () => flying === 1 || written.length === 1)
    for (const line of ['two\n', 'three\n']) shipper.write('script', Buffer.from(line))
    shipper.write('agent', Buffer.from('ours\n'))
    expect(await shipper.close(new AbortController().signal)).toBe(3)
    expect(written).toEqual(['0000000001:one\n', '0000000002:two\nthree\n', '0000000003:ours\n'])
    expect(most).toBe(1)
  })

  test('takes its own segment for stored when only the reply was lost', async () => {
    let tries = 0
    const write = async (): Promise<string> => {
      throw new StoreError(++tries === 1 ? 'unavailable' : 'conflict', 'x')
    }
    const shipper = open({ write })
    shipper.write('script', Buffer.from('x'))
    expect(await shipper.close(new AbortController().signal)).toBe(1)
    expect(tries).toBe(2)
  })

  test('keeps the bytes that an abandoned try may still be reading', async () => {
    const tried: Uint8Array[] = []
    const write = async (_key: string, body: Uint8Array): Promise<string> => {
      if (tried.push(body) === 1) throw new StoreError('unavailable', 'no answer')
      return 'v'
    }
    const shipper = open({ write })
    const bytes = Buffer.alloc(1 << 20, 'x')
    shipper.write('script', bytes)
    await shipper.close(new AbortController().signal)
    expect(tried).toHaveLength(2)
    for (const body of tried) expect(Buffer.from(decodeSegment(body, 'log').bytes).equals(bytes)).toBe(true)
  })

  test('says when the end could not be stored in time', async () => {
    const write = async (): Promise<string> => {
      throw new StoreError('unavailable', 'x')
    }
    const severed = new AbortController()
    const shipper = open({ write }, severed.signal)
    shipper.write('script', Buffer.from('x'))
    await expect(shipper.close(AbortSignal.timeout(50))).rejects.toThrow()
    severed.abort(new Error('over'))
    await expect(shipper.close(new AbortController().signal)).rejects.toThrow('over')
  })
})

function open(store: Partial<Store>, severed: AbortSignal = new AbortController().signal): LogShipper {
  const slot = layout('id', 'one').slot(0)
  return new LogShipper({ store: store as Store, slot, epoch: 1, spool: join(folder, 'spool'), severed })
}
