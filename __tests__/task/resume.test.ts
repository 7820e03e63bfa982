/** A command with full rights copies what a resumed run left, but only objects that the slot itself may have written. */
import { hash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { type Deployment, type Engine } from '../../src/engine/deployment.ts'
import { eachEntry, encodeManifest } from '../../src/snapshot/manifest.ts'
import type { Manifest } from '../../src/snapshot/types.ts'
import { seedFrom } from '../../src/task/resume.ts'
import { layout } from '../../src/wire/layout.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'
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
