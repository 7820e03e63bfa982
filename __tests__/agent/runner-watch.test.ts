/** When a runner without a job may be ended: a thousand races of a job against the very second in which its idle time is over. */
import { describe, expect, jest, test } from '@jest/globals'
import { RunnerWatch } from '../../src/agent/runner-watch.ts'
import type { Exit } from '../../src/agent/script.ts'
import { seeded } from '../storm/random.ts'
import { PretendRunner } from './pretend-runner.ts'

const RACES = Number(process.env['TPI_PRETEND_RACES'] ?? 1000)
/** Seconds. */
const IDLE = 3
const agent = { idleClock: 'agent', signals: { abort: 'SIGINT' } } as const

interface Race {
  readonly how: unknown
  readonly runner: PretendRunner
  /** Milliseconds until the watch was over. */
  readonly took: number
}

/** `arrival`: when the job comes, milliseconds. */
async function race(seed: number, arrival?: number): Promise<Race> {
  const random = seeded(seed)
  const runner = new PretendRunner(random, arrival ?? IDLE * 1000 + random.between(-1000, 1500))
  const { sight, freeze, clock, exit } = runner
  const watch = new RunnerWatch({ program: agent, idle: IDLE, sight, freeze, clock })
  const how = await watch.until({ id: { pid: 0, start: '' }, exit }, new AbortController().signal)
  const took = clock.now()
  if (how === 'idle') runner.kill()
  return { how, runner, took }
}

describe('a job that comes in the second of idle expiry', () => {
  test(`is served, or given to another runner, and never killed: ${RACES} races`, async () => {
    const killed: number[] = []
    const seen = { served: 0, waits: 0, offeredWhileHeld: 0, resumed: 0, neither: 0 }
    for (let seed = 1; seed <= RACES; seed++) {
      const { how, runner } = await race(seed)
      if (runner.job === 'killed') killed.push(seed)
      else if (runner.job === 'done' && how !== 'idle') seen.served++
      else if (runner.job === 'queued' && how === 'idle') seen.waits++
      else seen.neither++
      if (runner.offeredWhileHeld) seen.offeredWhileHeld++
      if (runner.resumed > 0) seen.resumed++
    }
    expect({ killed, neither: seen.neither }).toEqual({ killed: [], neither: 0 })
    // All of it happened, or the moments were not the right ones.
    for (const many of [seen.served, seen.waits]) expect(many).toBeGreaterThan(RACES / 10)
    for (const some of [seen.offeredWhileHeld, seen.resumed]) expect(some).toBeGreaterThan(0)
  })
})

test('without a job it is let go soon after the idle time, however restless it is', async () => {
  for (let seed = 1; seed <= 100; seed++) {
    const { how, took } = await race(seed, 3_600_000)
    expect(how).toBe('idle')
    expect(took).toBeGreaterThan(IDLE * 1000)
    expect(took).toBeLessThan(IDLE * 1000 + 20_000)
  }
})

test('one that lives for weeks is asked for its end once, not at every look: the watch grows by nothing', async () => {
  const { sight, freeze, clock } = new PretendRunner(seeded(1), 3_600_000)
  let end: (how: Exit) => void = () => undefined
  const exit = new Promise<Exit>((resolve) => (end = resolve))
  const asked = jest.spyOn(exit, 'then')
  let looks = 0
  const counting = {
    ...sight,
    jobs: async () => {
      if (++looks === 1000) end({ code: 0 })
      return sight.jobs()
    },
  }
  const watch = new RunnerWatch({ program: agent, idle: null, sight: counting, freeze, clock })
  const how = await watch.until({ id: { pid: 0, start: '' }, exit }, new AbortController().signal)
  expect(how).toEqual({ code: 0 })
  expect(looks).toBe(1000)
  expect(asked).toHaveBeenCalledTimes(1)
})
