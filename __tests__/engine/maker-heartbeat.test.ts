/** Heartbeats of a controller that makes or removes something. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import { type Deployment, deploymentOf, type Engine, readCurrent } from '../../src/engine/deployment.ts'
import { startHeartbeat } from '../../src/engine/owner/maker-heartbeat.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey } from '../../src/wire/layout.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { dyingStore } from '../storm/dying.ts'

interface Making {
  readonly there: Store
  readonly d: Deployment
  readonly engine: Engine
  readonly clock: FakeClock
  nonce(): Promise<string | undefined>
}

/** A deployment on record as being made, in a store that each call reaches by way of `through`. */
async function making(
  through: <T>(name: string, act: () => Promise<T>) => Promise<T>,
  use: (made: Making) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-alive-'))
  try {
    const there = await openStore({ url: `dir://${folder}` })
    const store = dyingStore(there, { through })
    const d = deploymentOf({ cloudId: 'one', cloud: {} as Cloud, store, id: 'tpi-r-0123456789', name: 'r', incarnation: 'i' })
    const { id, name, incarnation } = d
    const record = { v: 2, nonce: 'n', id, name, incarnation, createdAt: '2030-01-01T00:00:00Z', origin: {}, state: 'making' }
    await there.write(currentKey(id), Buffer.from(JSON.stringify(record)))
    const clock = fakeClock()
    const engine = { host: memoryHost(), clock, home: folder, actor: 'ann@box' }
    await use({ there, d, engine, clock, nonce: async () => (await readCurrent(there, id))?.value.nonce })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('after an outage of the store the next heartbeat is written, and none after the end', async () => {
  let away = false
  let refused = 0
  const through = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    if (!away) return act()
    refused += 1
    throw new StoreError('unavailable', `${name}: away`)
  }
  await making(through, async ({ d, engine, clock, nonce }) => {
    const alive = startHeartbeat(engine, d, 'making', { beat: 1000, ttl: 4000 })
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
  })
})

test('changes that begin at the same time after a silence give one sign of life, and none waits for that of another', async () => {
  const calls: string[] = []
  const through = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    calls.push(name)
    return act()
  }
  await making(through, async ({ d, engine, clock, nonce }) => {
    const alive = startHeartbeat(engine, d, 'making', { beat: 60_000, ttl: 4000 })
    await alive.hold()
    expect([calls, await nonce()]).toEqual([[], 'n'])
    for (const silence of [1, 2]) {
      await clock.advance(2000)
      await Promise.all([alive.hold(), alive.hold(), alive.hold()])
      expect(calls).toHaveLength(2 * silence)
    }
    expect(await nonce()).not.toBe('n')
    await alive.stop()
  })
})
