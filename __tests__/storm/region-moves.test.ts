/** A task that moves to its next region is killed at any call of the move, or stopped at any time of it: it stays one run, and nothing is left. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { MINUTE, TwoRegions } from '../clouds/awkward/two-regions.ts'
import { deathAt } from './dying.ts'
import { roundsOr, SEED, seeded } from './random.ts'

let all: TwoRegions
beforeEach(() => {
  all = new TwoRegions()
})
afterEach(() => all.close())

const random = seeded(SEED)
/** One number from each of equal parts of 0 to `end`. */
const spread = (parts: number, end: number): readonly number[] =>
  Array.from({ length: parts }, (_, part) => Math.floor((random.between(part, part + 1) * end) / parts))

/** The command makes at least so many calls after the name is taken. */
const CALLS = 55
const kill = async (at: number, answered: boolean) => all.passing(all.run({ death: deathAt(at, answered, () => all.moved()) }))

describe('the moving command is killed', () => {
  const deaths = spread(roundsOr(7), CALLS).map((call) => call + 1)

  test.each(deaths)('at call %i of the move, and is started again', async (at) => {
    const killed = await kill(at, at % 2 === 0)
    const again = await all.passing(all.run())
    expect([killed.code, again.code, all.result()]).toEqual(['killed', 0, 'done\n'])
    expect(all.remains()).toEqual([])
  })

  test.each(
    deaths.flatMap((at) => [
      [at, 'the workflow cleans up after it', async (since: string) => all.cleanUp(since)] as const,
      [at, 'it is stopped', async () => all.stop()] as const,
    ]),
  )('at call %i of the move, and %s: nothing may run anywhere', async (at, _, end) => {
    const since = new Date(all.account.clock.now()).toISOString()
    all.work = { takes: 300 * MINUTE }
    expect((await kill(at, at % 2 === 1)).code).toBe('killed')
    const ended = await all.passing(end(since))
    await all.pass(2 * MINUTE)
    expect([ended.code, all.wanted(), ended.lines]).toEqual([0, 0, ended.lines])
    await all.passing(all.destroy('--discard'))
    expect(all.remains()).toEqual([])
  })
})

/** Seconds: by then it works in the second region. */
const MOVED = 480

test.each(spread(roundsOr(6), MOVED))('it is stopped %i s after the name is taken', async (later) => {
  all.work = { takes: 300 * MINUTE }
  const running = all.run()
  await all.until(() => all.moved())
  await all.pass(later * 1000)
  const [end, stop] = await all.passing(Promise.all([running, all.stop()]))
  expect([end.code, stop.code, stop.lines.slice(-3)]).toEqual([130, 0, expect.anything()])
  await all.pass(10 * MINUTE)
  rmSync(join(all.root, 'work', 'result'), { force: true })
  await all.passing(all.destroy('--discard'))
  expect([all.remains(), existsSync(join(all.root, 'work', 'result'))]).toEqual([[], false])
})
