/**
 * Jobs that arrive just when a machine has been idle for long enough to leave: none of them is ever killed by that. With real machines;
 * `__tests__/agent/runner-watch.test.ts` plays a thousand more at each forge.
 */
import { expect, jest, test } from '@jest/globals'
import { filesHolding } from '../lab/leaks.ts'
import { type Stage, ways } from '../runner/stages.ts'
import { type World, world } from '../setup/world.ts'
import { seeded } from './random.ts'

/** At each forge. */
const RACES = Number(process.env['TPI_RACES'] ?? 20)
const AT_ONCE = 4
/** Seconds. */
const IDLE = 3
/** Milliseconds by which the jobs of the next round come later or earlier if all of one have ended alike. */
const STEP = 1000
/** Milliseconds until a forge gives a job that was offered, and not picked up, to another runner. */
const REQUEUE = 1500

jest.setTimeout(RACES * 40_000)

interface Runners {
  /** Ways of registration, in turn. */
  readonly ways: readonly string[]
  /** When jobs come, in milliseconds since the runners came online: before, during and after the moment of their leaving. */
  readonly moments: readonly [from: number, to: number]
}

const RUNNERS: Readonly<Record<string, Runners>> = {
  // It is held only when it is at rest, and that takes a while.
  github: { ways: Object.keys(ways).filter((way) => way.startsWith('github')), moments: [1700, 4500] },
  // It looks at its clock between two requests for a job. In a launch of several, it waits for twice the idle time.
  gitlab: { ways: ['gitlab'], moments: [1700 + IDLE * 1000, 4300 + IDLE * 1000] },
}

/** Resolves to how the jobs of some machines ended. */
async function races(stage: Stage, w: World, between: () => number): Promise<readonly (string | null)[]> {
  const env = { ...stage.env }
  const { facts } = await w.tpi(`runner --name r ${stage.options} --labels gpu --idle-timeout ${IDLE}s --count ${AT_ONCE} --json`, { env })
  const online = stage.since()
  const jobs = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const at = between()
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, online + at - Date.now())))
      return stage.push(facts.runsOn, 'sleep 0.3')
    }),
  )
  await w.deserted()
  await new Promise((resolve) => setTimeout(resolve, 'requeue' in stage.forge ? REQUEUE + 200 : 0))
  const ended = jobs.map((job) => job())
  expect((await w.tpi('destroy r --discard', { env })).code).toBe(0)
  expect([stage.forge.runners.size, (await w.remains()).filter((path) => !path.startsWith('cache'))]).toEqual([0, []])
  expect(filesHolding(w.home, stage.secrets())).toEqual([])
  return ended
}

test.each(Object.entries(RUNNERS))(
  '%s: a job at the second of idle expiry is served, or waits for another runner; nothing is left',
  async (id, { ways: registered, moments: [from, to] }) => {
    const random = seeded(7)
    const seen = { served: 0, waits: 0, killed: 0 }
    let later = 0
    const both = (): boolean => Math.min(seen.served, seen.waits) > 0
    for (let round = 0; round < RACES || (!both() && round < 2 * RACES); round += AT_ONCE) {
      const stage = (await ways[registered[(round / AT_ONCE) % registered.length] ?? '']?.()) as Stage
      if ('requeue' in stage.forge) stage.forge.requeue = REQUEUE
      const w = await world()
      try {
        const ended = await races(stage, w, () => later + random.between(from, to))
        for (const how of ended) seen[how === 'success' ? 'served' : how === stage.waits ? 'waits' : 'killed']++
        if (ended.every((how) => how === 'success')) later += STEP
        if (ended.every((how) => how === stage.waits)) later -= STEP
      } finally {
        await w.end()
        await stage.stop()
      }
    }
    process.stdout.write(`${id}: ${JSON.stringify(seen)}\n`)
    // If not both have happened, the moments were badly chosen.
    expect([seen.killed, both()]).toEqual([0, true])
  },
)
