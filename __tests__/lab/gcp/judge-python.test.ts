/**
 * The emulated project as a third-party client sees it: Google's for Python. It accepts the project as Google's, so that is fit to test tpi's own
 * client.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { run, until } from '../shell.ts'
import { type GcpLab, startGcpLab } from './lab.ts'

jest.setTimeout(300_000)

let lab: GcpLab | undefined
beforeAll(async () => {
  lab = await startGcpLab()
})
afterAll(() => lab?.stop())

test("Google's client for Python makes, sees, shrinks and removes a group, is refused where Google refuses, and leaves the project as it was", async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { front, world, endpoint, project } = lab
  const before = await lab.inventory()
  front.young = 1
  world.supply.setRoom({ zone: 'us-central1-a' }, 0)
  const said = await run(lab.vendor.python, [join(import.meta.dirname, 'judge.py'), endpoint, project], {
    env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' },
  })
  front.young = 0
  world.supply.setRoom({}, Infinity)
  expect(JSON.parse(said)).toEqual({
    young: 'NotFound',
    'young group': 'NotFound',
    twice: 'Conflict',
    'same request': true,
    zones: ['us-central1-b', 'us-central1-c'],
    status: ['RUNNING', 'RUNNING'],
    image: ['NotFound', 'debian-12-bookworm-v20260909'],
    types: ['e2-medium', 'us-central1-a'],
    'one less': 1,
    'wrong shape': 'BadRequest',
    'wrong project': 'NotFound',
    quota: ['CPUS', 'PREEMPTIBLE_CPUS'],
    gone: 'NotFound',
  })
  await until('what ends has ended', 20, async () => isDeepStrictEqual(await lab?.inventory(), before) || undefined)
})
