/** A command meets a run of its name that has ended without anybody there, or that is not the one it knows. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Commands, EAST } from '../clouds/awkward/commands.ts'

const HOUR = 3_600_000
const WORDS = ['task', '--cloud', 'awkward', '--name', 'fit', '--script', 'true', '--detach', '--json']

let all: Commands
beforeEach(() => {
  all = new Commands()
})
afterEach(() => all.close())

interface Facts {
  readonly outcome: string
  readonly id: string
  readonly createdAt: string
  readonly keptUntil: string
}

async function ran(...words: readonly string[]): Promise<{ readonly code: unknown; readonly facts: Facts; readonly text: string }> {
  const { code, facts, lines } = await all.passing(all.start(words))
  return { code, facts: facts as Facts, text: lines.join('\n') }
}

test('a detached run that had no machine until its deadline is over: the next command of its name ends as the run did', async () => {
  all.room(EAST, 0)
  expect(await ran(...WORDS)).toMatchObject({ code: 0, facts: { outcome: 'running' } })
  await all.pass(25 * HOUR, HOUR)
  const next = await ran(...WORDS)
  expect(next).toMatchObject({ code: 69, facts: { outcome: 'no-capacity' } })
  expect(all.wanted()).toBe(0)
})

test('a detached run that may have no machine is over long before its deadline: the next command of its name does not take it for a running one', async () => {
  for (const market of ['spot', 'on-demand'] as const) all.account.world.supply.setQuota(EAST, market, 0)
  await ran(...WORDS)
  await all.pass(HOUR)
  const next = await ran(...WORDS, '--if-exists', 'fail')
  expect(next.code).toBe(64)
  expect(next.text).toContain('has ended and was not collected')
  expect(await ran(...WORDS)).toMatchObject({ code: 69, facts: { outcome: 'no-capacity' } })
})

test('a command that is refused ends nothing: once there is room, the run that it took for hopeless goes on', async () => {
  const quota = (most: number): void => {
    for (const market of ['spot', 'on-demand'] as const) all.account.world.supply.setQuota(EAST, market, most)
  }
  quota(0)
  await ran(...WORDS)
  await all.pass(HOUR)
  expect(await ran(...WORDS, '--if-exists', 'fail')).toMatchObject({ code: 64 })
  quota(64)
  await all.until(() => all.begun.length === 1)
  expect(await ran(...WORDS)).toMatchObject({ code: 0 })
})

test('a run that waits for a machine is replaced at once: nobody waits for that machine', async () => {
  all.room(EAST, 0)
  const { facts } = await ran(...WORDS)
  const before = all.account.clock.now()
  const next = await ran(...WORDS, '--if-exists', 'replace')
  expect(next).toMatchObject({ code: 0, facts: { id: facts.id, outcome: 'running' } })
  expect(next.facts.createdAt).not.toBe(facts.createdAt)
  expect(all.account.clock.now() - before).toBeLessThan(HOUR)
})

test('the post step leaves a run alone that somebody has made since', async () => {
  const since = new Date(0).toISOString()
  const { facts } = await ran(...WORDS)
  await all.until(() => all.begun.length === 1)
  const stops = async (made: string): Promise<number> => {
    await all.passing(all.post(WORDS, { id: facts.id, since, begun: 'created', made }))
    return all.wanted()
  }
  expect(await stops(new Date(Date.parse(facts.createdAt) - HOUR).toISOString())).toBe(1)
  expect(await stops(facts.createdAt)).toBe(0)
})

test('results that are collected late are kept no longer, and the command says so', async () => {
  all.work = { takes: 60_000, exitCode: 3 }
  await ran(...WORDS)
  await all.until(() => all.begun.length === 1)
  // In small steps until it has ended: what its machine writes takes real time.
  while ((await ran('status', 'fit', '--cloud', 'awkward', '--json')).facts.outcome === 'running') await all.pass(60_000)
  await all.pass(5 * 24 * HOUR, HOUR)
  const { code, facts } = await ran('collect', 'fit', '--cloud', 'awkward', '--json')
  expect([code, facts.keptUntil]).toEqual([3, expect.any(String)])
  const days = (Date.parse(facts.keptUntil) - Date.parse(facts.createdAt)) / (24 * HOUR)
  expect(Math.round(days)).toBe(7)
})
