/** A command with full rights copies what a resumed run left, but only objects that the slot itself may have written. */
import { hash } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { withoutDeliveries } from '../../src/engine/deliver/without-deliveries.ts'
import { type Deployment, type Engine } from '../../src/engine/deployment.ts'
import { eachEntry, encodeManifest } from '../../src/snapshot/format/manifest.ts'
import type { Manifest } from '../../src/snapshot/types.ts'
import { seedFrom } from '../../src/task/resume.ts'
import { layout } from '../../src/wire/layout.ts'
import { newSlot, type SlotRecord, type SnapshotRef } from '../../src/wire/slot.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { type MemoryHost, memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const ID = 'tpi-fit-0123456789'
const AT = '2026-01-01T00:00:00.000Z'
const SUM = hash('sha256', 'x')

const store = memoryStore()
const deployment = (incarnation: string): Deployment =>
  ({ id: ID, name: 'fit', store, keys: layout(ID, incarnation) }) as unknown as Deployment
const old = deployment('old')
const now = deployment('now')
const SPEC = {} as TaskSpec

/** The record of slot 1 with a snapshot in `at` that names this object. */
async function slotWith(key: string, at: string): Promise<SlotRecord> {
  const piece = { key, sha256: SUM, from: 0, length: 1, offset: 0, size: 1, zstd: false }
  const entry = { type: 'file', path: 'f', mode: 420, mtime: '1', size: 1, hash: SUM, pieces: [piece] } as const
  const { bytes, digest } = await encodeManifest({ v: 2, quiet: true, unquiet: [], entries: [entry] } as unknown as Manifest)
  await store.write(`${old.keys.root}${key}`, Buffer.from('x'))
  await store.write(`${old.keys.root}${at}m-${digest}`, bytes)
  return { ...newSlot(1, 'n', AT), state: 'failed', head: { digest, at, epoch: 1, savedAt: AT, quiet: true, files: 1, bytes: 1 } }
}

const planted = async (slot: SlotRecord): Promise<string[]> => {
  await seedFrom({} as Engine, old, SPEC, [slot]).plant(now, undefined)
  return [...store.objects.keys()].filter((key) => key.startsWith(now.keys.root)).map((key) => key.slice(now.keys.root.length))
}

const OWN = 'slots/1/snap/'

test.each([
  'control.json',
  'collected.json',
  'spec.json',
  'secrets/env.json',
  'slots/2/slot.json',
  'slots/1/slot.json',
  'slots/10/snap/p',
  'base',
])('a snapshot that names %s is none: nothing is copied, and nobody reads on', async (key) => {
  const slot = await slotWith(key, OWN)
  await expect(planted(slot)).rejects.toMatchObject({ kind: 'corrupt' })
  await expect(eachEntry(store, old.keys.root, slot.head ?? { at: '', digest: '' }, () => undefined)).rejects.toMatchObject({
    kind: 'corrupt',
  })
  expect([...store.objects.keys()].filter((name) => name.startsWith(now.keys.root))).toEqual([])
})

test('a snapshot of another slot is not resumed from', async () => {
  await expect(planted(await slotWith('slots/2/snap/p', 'slots/2/snap/'))).rejects.toMatchObject({ kind: 'corrupt' })
})

test('the upload, and the snapshots of the slot itself, are copied', async () => {
  const slot = await slotWith(`${OWN}p`, OWN)
  expect((await planted(slot)).sort()).toEqual([`${OWN}m-${slot.head?.digest}`, `${OWN}p`])
  expect(await planted(await slotWith('base/p', OWN))).toContain('base/p')
})

test.each([
  ['the storage copies them itself', async () => true, false],
  ['one that cannot copy hands them out', async () => Promise.reject(new StoreError('invalid', 'no such operation')), true],
  ['one that may not read the source of a copy hands them out', async () => false, true],
])('objects of the same storage: %s', async (_, may, travels) => {
  const slot = await slotWith(`${OWN}p`, OWN)
  const reads: string[] = []
  const read: Store['read'] = async (key, ...more) => (reads.push(key), store.read(key, ...more))
  const copy = async (from: string, to: string): Promise<boolean> => {
    if (!(await may())) return false
    await store.write(to, store.objects.get(from)?.bytes ?? Buffer.from(''))
    return true
  }
  const next = { ...now, store: { ...store, url: store.url, read, copy } }
  await seedFrom({} as Engine, old, SPEC, [slot]).plant(next, undefined)
  expect(store.objects.get(`${now.keys.root}${OWN}p`)?.bytes).toEqual(Uint8Array.from(Buffer.from('x')))
  expect(reads.includes(`${old.keys.root}${OWN}p`)).toBe(travels)
})

test.each([
  ['stays as it is', false, { state: 'succeeded', head: expect.anything() }],
  ['of a gang runs again, because the others need it', true, { head: expect.anything() }],
])('a slot that has succeeded %s', async (_, gang, start) => {
  const slot: SlotRecord = { ...(await slotWith(`${OWN}p`, OWN)), state: 'succeeded' }
  const bare: SlotRecord = { ...newSlot(2, 'n', AT), state: 'succeeded' }
  const starts = await seedFrom({} as Engine, old, { ...SPEC, gang }, [slot, bare]).plant(now, undefined)
  expect(starts.get(1)).toEqual(gang ? start : expect.objectContaining(start))
  expect(starts.get(2)?.state).toBe(gang ? undefined : 'succeeded')
})

describe('a checkpoint that is damaged', () => {
  let host: MemoryHost
  const engine = (): Engine => ({ host, home: '/nowhere' }) as unknown as Engine
  beforeEach(() => {
    store.objects.clear()
    host = memoryHost()
  })

  /** With two checkpoints, the later one in `p2`. */
  async function withTwo(more: Partial<SlotRecord> = {}): Promise<SlotRecord & { head: SnapshotRef; previous: SnapshotRef }> {
    const { head: first } = await slotWith(`${OWN}p1`, OWN)
    const slot = await slotWith(`${OWN}p2`, OWN)
    const previous = { ...first!, savedAt: '2025-12-31T00:00:00.000Z' }
    return { ...slot, head: slot.head!, previous, ...more }
  }
  const seed = (slot: SlotRecord) => seedFrom(engine(), old, SPEC, [slot])
  const key = ({ digest }: SnapshotRef): string => `${old.keys.root}${OWN}m-${digest}`
  const pack = `${old.keys.root}${OWN}p2`
  const kept = (): string[] =>
    [...store.objects.keys()].filter((name) => name.startsWith(now.keys.root)).map((name) => name.split('/').at(-1)!)
  const begun = (ref: SnapshotRef): SnapshotRef => ({ ...ref, epoch: 0 })

  const DAMAGE: readonly (readonly [string, (slot: { head: SnapshotRef }) => unknown])[] = [
    ['its pack is missing', () => store.objects.delete(pack)],
    ['its manifest is missing', ({ head }) => store.objects.delete(key(head))],
    ['its manifest is torn', async ({ head }) => store.write(key(head), Buffer.from('torn'))],
  ]
  test.each(DAMAGE)('gives way to the one before it, and a warning says so: %s', async (_name, damage) => {
    const slot = await withTwo()
    await damage(slot)
    const starts = await seed(slot).plant(now, undefined)
    expect(starts.get(1)).toEqual({ head: begun(slot.previous) })
    expect(kept()).toEqual(expect.arrayContaining(['p1', `m-${slot.previous.digest}`]))
    const warning = host.lines.filter((line) => line.startsWith('warn'))
    expect(warning).toEqual([expect.stringMatching(/slot 1: its checkpoint of 2026-.* is damaged \(.*\): going on from that of 2025-/)])
  })

  test('is told once, before anything is made, if its manifest is what is damaged', async () => {
    const slot = await withTwo()
    store.objects.delete(key(slot.head))
    const one = seed(slot)
    await one.tell(undefined)
    expect(host.lines.join('\n')).toContain(`goes on from its checkpoint of ${slot.previous.savedAt}`)
    await one.plant(now, undefined)
    expect(host.lines.filter((line) => line.includes('is damaged'))).toHaveLength(1)
  })

  test('is found by the machine if only its bytes are wrong: so the one before it goes along', async () => {
    const slot = await withTwo()
    const starts = await seed(slot).plant(now, undefined)
    expect(starts.get(1)).toEqual({ head: begun(slot.head), previous: begun(slot.previous) })
    expect(kept().sort()).toEqual([`m-${slot.head.digest}`, `m-${slot.previous.digest}`, 'p1', 'p2'].sort())
  })

  test('and was only kept to fall back on is left out', async () => {
    const slot = await withTwo()
    store.objects.delete(key(slot.previous))
    expect((await seed(slot).plant(now, undefined)).get(1)).toEqual({ head: begun(slot.head) })
    expect(host.lines).toEqual([])
  })

  test('of a quiet tree comes first, then what was read from another', async () => {
    const slot = await withTwo()
    const { head, previous, ...rest } = slot
    const unquiet = { ...rest, head: { ...head, quiet: false }, lastQuiet: previous }
    expect((await seed(unquiet).plant(now, undefined)).get(1)).toEqual({ head: begun(previous), previous: begun(unquiet.head) })
    store.objects.delete(key(previous))
    expect((await seed(unquiet).plant(now, undefined)).get(1)).toEqual({ head: begun(unquiet.head) })
  })

  test('with the results of a slot that has succeeded lets it run again', async () => {
    const slot = await withTwo({ state: 'succeeded', exitCode: 0, outputs: { a: '1' } })
    expect((await seed(slot).plant(now, undefined)).get(1)).toMatchObject({ state: 'succeeded', head: begun(slot.head) })
    store.objects.delete(key(slot.head))
    expect((await seed(slot).plant(now, undefined)).get(1)).toEqual({ head: begun(slot.previous), outputs: { a: '1' } })
    expect(host.lines.join('\n')).toMatch(/it runs again/)
  })

  test('or not: a slot that goes on keeps what its program has put out, as after a takeover', async () => {
    const slot = await withTwo({ outputs: { a: '1' }, summary: 'so far' })
    expect((await seed(slot).plant(now, undefined)).get(1)).toMatchObject({ outputs: { a: '1' }, summary: 'so far' })
  })

  test('and has none before it ends the start', async () => {
    const slot = await withTwo()
    for (const ref of [slot.head, slot.previous]) store.objects.delete(key(ref))
    await expect(seed(slot).plant(now, undefined)).rejects.toMatchObject({ kind: 'lost' })
  })

  test('does not keep a command from comparing the work directory', async () => {
    const slot = await withTwo()
    store.objects.delete(key(slot.head))
    const here = { v: 2, quiet: true, unquiet: [], entries: [] } as unknown as Manifest
    expect((await withoutDeliveries(engine(), old, SPEC, [slot], here)).entries).toEqual([])
  })
})
