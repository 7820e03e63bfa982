import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Backlog, BOUND, MEMORY } from '../../src/agent/backlog.ts'
import { LogShipper } from '../../src/agent/logs.ts'
import { layout } from '../../src/wire/layout.ts'
import { decodeSegment } from '../../src/wire/log.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
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

  test('makes the writer wait beyond its bound, and at once beyond memory where there is no room for a file', () => {
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

describe('shipping', () => {
  test('keeps one segment in flight, and ships what came meanwhile as one', async () => {
    const written: string[] = []
    let flying = 0
    let most = 0
    const write = async (key: string, body: Uint8Array): Promise<string> => {
      most = Math.max(most, ++flying)
      await nap(30)
      flying--
      written.push(`${key.slice(-10)}:${Buffer.from(decodeSegment(body).bytes).toString()}`)
      return 'v'
    }
    const shipper = open({ write })
    shipper.write('script', Buffer.from('one\n'))
    await nap(100)
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
