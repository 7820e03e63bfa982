import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { describeError, type TpiError } from '../../src/core/errors.ts'
import { markCollected } from '../../src/engine/deliver/collect.ts'
import { undelivered } from '../../src/engine/deliver/delivery-failure.ts'
import type { Deployment, Engine } from '../../src/engine/deployment.ts'
import { tooLate } from '../../src/engine/destroy/removed.ts'
import { remember } from '../../src/engine/history.ts'
import { SnapshotError } from '../../src/snapshot/errors.ts'
import { exitOf } from '../../src/verbs/shared/error-exit.ts'
import { VERSION } from '../../src/wire/parse.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { endedRun } from '../setup/ended-run.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { memoryStore } from '../snapshot/memory-store.ts'
import { deploymentOn } from './one-deployment.ts'

/** `current`: the record of the deployment. */
const deployment = (current: object | undefined): Deployment =>
  ({
    id: 'tpi-fit-1',
    name: 'fit',
    incarnation: 'one',
    store: { read: async () => current && { bytes: Buffer.from(JSON.stringify(current)), version: '1' } },
  }) as unknown as Deployment

const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
const taken = Object.assign(new Error('exists'), { code: 'EEXIST', syscall: 'mkdir' })

const current = {
  v: VERSION,
  nonce: 'n',
  id: 'tpi-fit-1',
  name: 'fit',
  incarnation: 'one',
  state: 'open',
  createdAt: '2026-01-01T00:00:00.000Z',
  origin: { owner: 'ann@box', user: 'ann', host: 'box' },
}

test.each([true, false])('the record of a delivery is written again if its write got no answer (it had arrived: %p)', async (arrived) => {
  const store = memoryStore()
  let lost = false
  const write: Store['write'] = async (...args) => {
    if (lost) return store.write(...args)
    lost = true
    if (arrived) await store.write(...args)
    throw new StoreError('unavailable', 'no answer')
  }
  const d = deploymentOn({ ...store, write })
  const engine = { clock: fakeClock(undefined, { auto: true }), host: memoryHost(), actor: 'ann@box' } as unknown as Engine
  await markCollected(engine, d, [], '/out')
  const found = await store.read(d.keys.collected)
  expect(JSON.parse(Buffer.from(found?.bytes ?? []).toString())).toMatchObject({ by: 'ann@box', to: '/out' })
})

test('a failed delivery says that nothing is lost only if that is true', async () => {
  for (const [error, says] of [
    [full, /no space left in \/out/],
    [taken, /cannot write to \/out: EEXIST/],
    [new Error('odd'), /did not arrive: odd/],
  ] as const) {
    const there = ((await undelivered(error, deployment(current), '/out')) as Error).message
    expect(there).toMatch(says)
    const whole = JSON.stringify(await undelivered(error, deployment(current), '/out')) + there
    expect(whole).toContain('tpi collect fit')
    for (const gone of [undefined, { ...current, state: 'destroying' }, { ...current, incarnation: 'two' }]) {
      const after = (await undelivered(error, deployment(gone), '/out')) as Error
      const said = JSON.stringify(after) + after.message
      expect(said).toMatch(says)
      expect(said).not.toMatch(/nothing is lost|tpi collect/)
    }
  }
})

test('a folder that cannot take the results: the command that it names includes another folder, also for a workflow', async () => {
  const { hint = '' } = (await undelivered(full, deployment(current), '/out')) as TpiError
  expect(hint).toContain('`tpi collect fit --to DIR`')
})

test('a command that came too late hears where its own run was delivered, not a later one of the same name', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tpi-late-'))
  try {
    for (const [createdAt, to] of [
      ['2030-01-01T00:00:00.000Z', '/first'],
      ['2030-01-02T00:00:00.000Z', '/second'],
    ] as const)
      await remember(home, endedRun('tpi-fit-1', createdAt, { delivered: { at: createdAt, by: 'ann@box', to } }))
    const engine = { home } as Engine
    const late = await tooLate(engine, deployment(undefined), { createdAt: '2030-01-01T00:00:00.000Z' })
    expect(late.message).toMatch(/were delivered at 2030-01-01T.* by ann@box, to \/first$/)
    expect((await tooLate(engine, deployment(undefined))).message).toMatch(/to \/second$/)
  } finally {
    await rm(home, { recursive: true })
  }
})

test('damage in the store is reported, without any promise', async () => {
  for (const error of [
    new SnapshotError('corrupt', 'the manifest is not what its digest says'),
    new SnapshotError('lost', 'a pack does not exist'),
    new StoreError('corrupt', 'the object is too large'),
  ]) {
    const after = (await undelivered(error, deployment(current), '/out')) as TpiError
    expect(exitOf(after)).toMatchObject({ exitCode: 76, message: expect.stringContaining(error.message) })
    expect(describeError(after)).not.toMatch(/nothing is lost|tpi collect/)
    expect(describeError(after)).toMatch(/of fit in the store is damaged;.*tpi pull fit GLOB --to DIR`;.*tpi destroy fit --discard/)
  }
})
