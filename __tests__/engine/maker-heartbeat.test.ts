/** Heartbeats of a controller that makes or removes something. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import { deploymentOf } from '../../src/engine/deployment.ts'
import { readCurrent } from '../../src/engine/find.ts'
import { startHeartbeat } from '../../src/engine/owner/maker-heartbeat.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey } from '../../src/wire/layout.ts'
import { StoreError } from '../../src/wire/store.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { dyingStore } from '../storm/dying.ts'

test('after an outage of the store the next heartbeat is written, and none after the end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-alive-'))
  try {
    const there = await openStore({ url: `dir://${folder}` })
    let away = false
    let refused = 0
    const store = dyingStore(there, {
      async through(name, act) {
        if (!away) return act()
        refused += 1
        throw new StoreError('unavailable', `${name}: away`)
      },
    })
    const d = deploymentOf({ cloudId: 'one', cloud: {} as Cloud, store, id: 'tpi-r-0123456789', name: 'r', incarnation: 'i' })
    await there.write(
      currentKey(d.id),
      Buffer.from(
        JSON.stringify({
          v: 2,
          nonce: 'n',
          id: d.id,
          name: 'r',
          incarnation: 'i',
          createdAt: '2030-01-01T00:00:00Z',
          origin: {},
          state: 'making',
        }),
      ),
    )
    const nonce = async (): Promise<string | undefined> => (await readCurrent(there, d.id))?.value.nonce
    const clock = fakeClock()
    const alive = startHeartbeat({ host: memoryHost(), clock, home: folder, actor: 'ann@box' }, d, 'making', { beat: 1000, ttl: 4000 })
    const beat = async (): Promise<void> => {
      await clock.advance(1000)
      while (clock.sleepers === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    away = true
    await beat()
    expect([refused > 0, await nonce()]).toEqual([true, 'n'])
    away = false
    await beat()
    const renewed = await nonce()
    expect(renewed).not.toBe('n')
    await alive.stop()
    await clock.advance(5000)
    expect(await nonce()).toBe(renewed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
