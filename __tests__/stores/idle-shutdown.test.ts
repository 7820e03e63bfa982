/** How long the store of a deployment is kept once nothing in it changes any more. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { idleTime } from '../../src/stores/idle-shutdown.ts'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import { newSlot } from '../../src/wire/slot.ts'
import type { Store } from '../../src/wire/store.ts'
import { AT, COMMON, RELAUNCH, RUNNER, TASK, TTL } from '../wire/specs.ts'

const place = mkdtempSync(join(tmpdir(), 'tpi-idleTime-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const keys = layout('tpi-r-0123456789', 'one')
const ATTEMPT = { epoch: 1, holder: 'm', start: '2026-01-01T00:00:00Z', end: '2026-01-01T00:10:00Z' }
const JOB = { epoch: 1, start: '2026-01-01T00:01:00Z', facts: {} }

let store: Store
let folders = 0

beforeEach(async () => {
  folders += 1
  store = await openStore({ url: `dir://${join(place, String(folders))}` })
})

const put = async (key: string, value: object): Promise<unknown> => store.write(key, Buffer.from(JSON.stringify(value)))

async function runners(slots: readonly object[], current: object = {}, { mode = 'runner', retry = 2 } = {}): Promise<number | undefined> {
  await store.init(keys.root)
  const of = { v: 2, id: 'tpi-r-0123456789', name: 'r', incarnation: 'one', createdAt: AT, origin: {}, state: 'open' }
  await put(currentKey(of.id), { ...of, nonce: 'n', ...current })
  const spec = { ...COMMON, ...of, count: slots.length }
  const more = mode === 'runner' ? { runner: { ...RUNNER, relaunch: { retry } } } : TASK
  await put(keys.spec, { ...spec, mode, ...more })
  for (const [index, slot] of slots.entries())
    await put(keys.slot(index).record, { ...newSlot(index, 'n', AT), epoch: 1, attempts: [ATTEMPT], ...slot })
  return idleTime(store)
}

describe('the store of runners', () => {
  test('is kept for ten minutes if all have left in order', async () => {
    const left = { state: 'succeeded', jobs: [{ ...JOB, end: ATTEMPT.end }] }
    expect(await runners([left, { state: 'stopped' }, { state: 'timed-out' }])).toBe(10 * TTL)
  })

  test.each([
    ['an empty store', []],
    ['one that works', [{ state: 'succeeded' }, { state: 'running' }]],
    ['one that failed: there is a log to be read', [{ state: 'failed' }]],
    ['a job that was cut off', [{ state: 'succeeded', jobs: [{ ...JOB, interrupted: true }] }]],
    ['a job that nobody saw end', [{ state: 'timed-out', jobs: [JOB] }]],
    ['a machine that was taken away', [{ state: 'succeeded', attempts: [{ ...ATTEMPT, cause: 'interrupted' }, ATTEMPT] }]],
    ['a machine that went silent', [{ state: 'succeeded', attempts: [{ ...ATTEMPT, cause: 'lost' }, ATTEMPT] }]],
  ])('is needed: %s', async (_, slots) => {
    expect(slots.length === 0 ? await idleTime(store) : await runners(slots)).toBeUndefined()
  })

  test('is not kept if nothing may run again: "retry" is 0', async () => {
    expect(await runners([{ state: 'timed-out', jobs: [JOB] }], {}, { retry: 0 })).toBe(10 * TTL)
  })

  test('is removed once all jobs that were cut off are settled', async () => {
    const cut = { state: 'failed', jobs: [{ ...JOB, interrupted: true }], attempts: [{ ...ATTEMPT, cause: 'interrupted' }] }
    expect(await runners([cut], { settled: true })).toBe(10 * TTL)
  })

  test.each([{ state: 'making' }, { state: 'destroying' }, { relaunch: RELAUNCH }])('is needed while its record says %o', async (what) => {
    expect(await runners([{ state: 'succeeded' }], { ...what, settled: true })).toBeUndefined()
  })

  test('a task keeps its own: it may have results', async () => {
    expect(await runners([{ state: 'succeeded' }], {}, { mode: 'task' })).toBeUndefined()
  })
})
