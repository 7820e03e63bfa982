/** A creation that fails where the store is there and the name is not yet taken. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import type { Resource } from '../../src/core/resource.ts'
import { create, type Making } from '../../src/engine/create.ts'
import { memoryHost } from '../../src/host/memory.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { CommonSpec, Spec } from '../../src/wire/spec.ts'
import { StoreError } from '../../src/wire/store.ts'
import { fakeClock } from '../lib/fake-clock.ts'

test('what was made for its store is given back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-create-'))
  try {
    const there = new Set<string>()
    const root: Resource = {
      kind: 'store',
      name: 'root',
      async ensure() {
        there.add('root')
        return 'created'
      },
      async remove() {
        return there.delete('root') ? 'removed' : 'absent'
      },
    }
    const ownStore = { holds: () => true, blueprint: async () => [[root]], events: async () => [] }
    const cloud = { ownStore, leftovers: async () => [] } as unknown as Cloud
    const store = await openStore({ url: `dir://${folder}` })
    const engine = { host: memoryHost(), clock: fakeClock(undefined, { auto: true }), home: folder, actor: 'ann@box' }
    const away = new StoreError('unavailable', 'away for a moment')
    const making = {
      draft: () => ({ createdAt: '2030-01-01T00:00:00.000Z', lease: { beat: 1000, ttl: 2000 } }),
      machines: () => ({}),
      former: async () => {
        throw away
      },
    } as unknown as Making<Spec, CommonSpec, void>
    const parts = {
      origin: {},
      storeAccess: { url: store.url },
      agent: { bytes: new Uint8Array(), digest: '' },
      signal: new AbortController().signal,
    }
    const place = { cloudId: 'one', cloud, store, id: 'tpi-x-0123456789', name: 'x' }
    await expect(create(engine, place, parts, making)).rejects.toBe(away)
    expect([...there]).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
