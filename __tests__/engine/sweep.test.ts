/** What a sweep takes for left behind, where only the store knows of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import { leftovers } from '../../src/engine/sweep.ts'
import { memoryHost } from '../../src/host/memory.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey } from '../../src/wire/layout.ts'
import type { CurrentRecord } from '../../src/wire/records.ts'
import { fakeClock } from '../lib/fake-clock.ts'

test('runners that somebody was starting anew are left to the next retry, for as long as jobs wait for them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-sweep-'))
  try {
    const place = { url: `dir://${folder}` }
    const store = await openStore(place)
    const id = 'tpi-r-0123456789'
    const origin = { repository: 'github.com/octo/hello' } as CurrentRecord['origin']
    const relaunch = { since: '2030-01-01T00:00:00.000Z', labels: [], wish: {}, repositories: [] }
    const record: CurrentRecord = {
      v: 1,
      nonce: 'n',
      id,
      name: 'r',
      incarnation: 'i',
      createdAt: '2029-12-31T12:00:00.000Z',
      origin,
      destroying: true,
      relaunch,
    }
    await store.write(currentKey(id), Buffer.from(JSON.stringify(record)))
    const cloud = { list: async () => [], store: async () => place } as unknown as Cloud
    const clock = fakeClock('2030-01-01T23:00:00.000Z', { auto: true })
    const engine = { host: memoryHost(), clock, home: folder, actor: 'ann@box' }
    const found = async () => (await leftovers(engine, [{ id: 'one', cloud }], async () => store)).map((one) => one.id)
    expect(await found()).toEqual([])
    clock.jump(2 * 60 * 60_000)
    expect(await found()).toEqual([id])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
