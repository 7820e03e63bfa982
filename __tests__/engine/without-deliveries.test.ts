/** What a delivery that was cut off has left in a work directory is told from what its user has put there. */
import { hash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { withoutDeliveries } from '../../src/engine/deliver/without-deliveries.ts'
import type { Deployment, Engine } from '../../src/engine/deployment.ts'
import { encodeManifest } from '../../src/snapshot/format/manifest.ts'
import type { Entry, FileEntry, Manifest } from '../../src/snapshot/types.ts'
import { BASE, layout } from '../../src/wire/layout.ts'
import { newSlot, type SlotRecord } from '../../src/wire/slot.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'
import { memoryStore } from '../snapshot/memory-store.ts'

const AT = '2026-01-01T00:00:00.000Z'
const THEN = '1793000000000000000'
const LATER = '1793000001000000000'

const store = memoryStore()
const d = {
  id: 'tpi-fit-0123456789',
  incarnation: 'i',
  name: 'fit',
  store,
  keys: layout('tpi-fit-0123456789', 'i'),
} as unknown as Deployment
const engine = { home: '/nowhere' } as Engine

function file(path: string, content: string, mtime = THEN): FileEntry {
  const sha256 = hash('sha256', content)
  const piece = { key: 'base/p', sha256, from: 0, length: 1, offset: 0, size: content.length, zstd: false }
  return { type: 'file', path, mode: 0o644, mtime, size: content.length, hash: sha256, pieces: [piece] }
}

const manifest = (entries: readonly Entry[]): Manifest => ({ v: 2, quiet: true, unquiet: [], entries })

async function saved(at: string, entries: readonly Entry[]): Promise<string> {
  const { bytes, digest } = await encodeManifest(manifest(entries))
  await store.write(`${d.keys.root}${at}m-${digest}`, bytes)
  return digest
}

test('a file that a slot has written again may lie under the number of the slot; a copy elsewhere is the user’s', async () => {
  const at = 'slots/1/snap/'
  const base = await saved(BASE, [file('again', 'a'), file('alone', 'b')])
  const digest = await saved(at, [file('again', 'a', LATER), file('alone', 'b')])
  const head = { digest, at, epoch: 1, savedAt: AT, quiet: true, files: 2, bytes: 2 }
  const slot: SlotRecord = { ...newSlot(1, 'n', AT), state: 'succeeded', head }
  const here = [file('1/again', 'a'), file('1/alone', 'b'), file('again', 'a'), file('alone', 'b'), file('copy/again', 'a')]
  const left = await withoutDeliveries(engine, d, { base } as TaskSpec, [slot], manifest(here))
  expect(Array.from(left.entries, ({ path }) => path)).toEqual(['1/alone', 'again', 'alone', 'copy/again'])
})
