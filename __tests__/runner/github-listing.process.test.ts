/** A forge whose list of runners lags: new registrations are missing, and removed ones still listed. */
import { expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { type Ran } from '../setup/world.ts'
import { onGithub } from './stages.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SWEEP = 'sweep --yes --repository octo/hello'
const at = onGithub()
const { tpi } = at
const launch = async (more = ''): Promise<Ran> => at.launch(`--idle-timeout never ${more}`.trim())

test('a runner that is not listed yet comes online, and is removed with its deployment', async () => {
  at.forge.listing = HOUR
  expect(await launch()).toMatchObject({ code: 0, facts: { outcome: 'running' } })
  expect(at.forge.runners.size).toBe(1)
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(at.forge.runners.size).toBe(0)
})

test('it waits until the list has all of them; ones that stay listed too long do no harm', async () => {
  at.forge.listing = 3000
  const ran = await launch('--count 6')
  expect([ran.code, ran.facts.runners?.length]).toEqual([0, 6])
  // Before that, they may have been seen one by one.
  await until('the list has them', () => at.forge.listed === 6)
  at.forge.listing = HOUR
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect([at.forge.runners.size, at.forge.listed]).toEqual([0, 6])
  expect((await launch()).code).toBe(0)
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect([at.forge.runners.size, at.forge.listed]).toEqual([0, 6])
  expect((await tpi(SWEEP)).code).toBe(0)
  expect(at.forge.calls('POST', /labels$/)).toEqual([])
})

test('a start that fails removes what it has just registered', async () => {
  at.forge.listing = HOUR
  at.forge.claimedDigest = '0'.repeat(64)
  expect((await launch('--count 2')).code).not.toBe(0)
  expect(at.forge.calls('POST', /generate-jitconfig$/)).toHaveLength(2)
  expect(at.forge.runners.size).toBe(0)
})

test('a lost answer to a registration: its name is taken, the list does not have it, and another name is used; everything is removed in the end', async () => {
  at.forge.listing = 20_000
  at.forge.faults.push({ method: 'POST', path: /generate-jitconfig$/, status: 500, lost: true, times: 1 })
  expect((await launch()).code).toBe(0)
  expect([...at.forge.runners.values()].map(({ name }) => name.replace(/^tpi-r-.*-0-0/, 'x'))).toEqual(['x', 'x-r1'])
  await until('both are listed', () => at.forge.listed === 2)
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(at.forge.runners.size).toBe(0)
})

test('a sweep finds a lost registration as soon as it is listed', async () => {
  at.forge.listing = 1500
  const name = 'tpi-lost-0123456789-0-0'
  await fetch(`${at.forge.url}/repos/octo/hello/actions/runners/generate-jitconfig`, {
    method: 'POST',
    headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
    body: JSON.stringify({ name, runner_group_id: 1, labels: ['a'], work_folder: '_work' }),
  })
  const noted = (): number => at.forge.calls('POST', /labels$/).length
  await until('it is noted', async () => {
    const before = at.forge.listed
    expect((await tpi(SWEEP)).code).toBe(0)
    return before === 1 && noted() === 1
  })
  expect(at.forge.runners.size).toBe(1)
})
