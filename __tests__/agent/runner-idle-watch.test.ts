/** When a runner without a job may be ended: at each forge, a thousand races between a job and the very second in which the idle time is over. */
import { describe, expect, jest, test } from '@jest/globals'
import type { Exit } from '../../src/agent/process/script.ts'
import { RunnerWatch } from '../../src/agent/runner/idle-watch.ts'
import { LaunchWait } from '../../src/agent/runner/launch-wait.ts'
import { program as github } from '../../src/forges/github/program.ts'
import { program as gitlab } from '../../src/forges/gitlab/program.ts'
import type { RunnerProgram, ServedJob } from '../../src/wire/runner.ts'
import { type FakeClock, fakeClock } from '../lib/fake-clock.ts'
import { type Random, seeded } from '../storm/random.ts'
import { PretendGithub } from './pretend-github.ts'
import { PretendGitlab } from './pretend-gitlab.ts'
import type { PretendRunner } from './pretend-runner.ts'

const RACES = Number(process.env['TPI_PRETEND_RACES'] ?? 1000)
/** Seconds. */
const IDLE = 3
const NEVER = new AbortController().signal

interface Kind {
  /** What the forge says about its runner program; the watch goes by it. */
  readonly program: Omit<RunnerProgram, 'archive'>
  /** The watch holds the runner first, and then ends it. */
  readonly held: boolean
  pretend(random: Random, arrival: number): PretendRunner
}

const kinds: Readonly<Record<string, Kind>> = {
  github: { program: github, held: true, pretend: (random, arrival) => new PretendGithub(random, arrival) },
  gitlab: {
    program: gitlab('https://gitlab.example', 'https://gitlab.example/api/v4', { env: {} }),
    held: false,
    pretend: (random, arrival) => new PretendGitlab(random, arrival, IDLE),
  },
}

interface Race {
  readonly how: unknown
  readonly runner: PretendRunner
  /** Milliseconds until the watch was over. */
  readonly took: number
}

/** `arrival`: milliseconds until the job comes. */
async function race({ program, pretend }: Pick<Kind, 'program' | 'pretend'>, seed: number, arrival?: number, rest = 3): Promise<Race> {
  const random = seeded(seed)
  const runner = pretend(random, arrival ?? IDLE * 1000 + random.between(-1000, 1500))
  const { sight, freeze, clock, exit } = runner
  const watch = new RunnerWatch({ program, idle: IDLE, rest, sight, freeze, clock })
  const how = await watch.until({ exit }, NEVER)
  const took = clock.now()
  // After this, the machine leaves.
  runner.kill()
  return { how, runner, took }
}

describe.each(Object.entries(kinds))('%s: a job that comes in the second of idle expiry', (_, kind) => {
  test(`is served, or given to another runner, and never killed: ${RACES} races`, async () => {
    const killed: number[] = []
    const seen = { served: 0, waits: 0, offeredWhileHeld: 0, resumed: 0, neither: 0, held: 0 }
    for (let seed = 1; seed <= RACES; seed++) {
      const { how, runner } = await race(kind, seed)
      if (runner.job === 'killed') killed.push(seed)
      else if (runner.job === 'done' && how !== 'idle') seen.served++
      else if (runner.job === 'queued' && (how === 'idle') === kind.held) seen.waits++
      else seen.neither++
      if (runner.offeredWhileHeld) seen.offeredWhileHeld++
      if (runner.resumed > 0) seen.resumed++
      if (runner.holds > 0) seen.held++
    }
    expect({ killed, neither: seen.neither }).toEqual({ killed: [], neither: 0 })
    // If each of these has not happened, the moments were badly chosen.
    for (const many of [seen.served, seen.waits]) expect(many).toBeGreaterThan(RACES / 10)
    for (const some of [seen.offeredWhileHeld, seen.resumed, seen.held]) expect(some > 0).toBe(kind.held)
  })

  test('without a job it is ended soon after the idle time, however busy it looks', async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { how, took } = await race(kind, seed, 3_600_000)
      expect(how).toEqual(kind.held ? 'idle' : { code: 0 })
      expect(took).toBeGreaterThan(IDLE * 1000)
      expect(took).toBeLessThan(IDLE * 1000 + 20_000)
    }
  })
})

test('a job that GitHub is slow to hand over, or has to be asked for again, is not overlooked', async () => {
  const pretend = (random: Random, arrival: number) => new PretendGithub(random, arrival, () => random.between(5000, 17_000))
  const killed = async (rest?: number): Promise<number> => {
    let sum = 0
    for (let seed = 1; seed <= 50; seed++)
      if ((await race({ program: github, pretend }, seed, undefined, rest)).runner.job === 'killed') sum++
    return sum
  }
  expect(await killed(3)).toBeGreaterThan(10)
  expect(await killed(20)).toBe(0)
})

test('a watch of weeks subscribes to the runner’s end once, not at every look, so its memory does not grow', async () => {
  const { sight, freeze, clock } = new PretendGithub(seeded(1), 3_600_000)
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
  const watch = new RunnerWatch({ program: github, idle: null, sight: counting, freeze, clock })
  const how = await watch.until({ exit }, NEVER)
  expect(how).toEqual({ code: 0 })
  expect(looks).toBe(1000)
  expect(asked).toHaveBeenCalledTimes(1)
})

test('a job that is over before the first look is reported', async () => {
  const { freeze, clock, sight } = new PretendGithub(seeded(1), 3_600_000)
  const job = { epoch: 1, start: '2030-01-01T00:00:00Z', end: '2030-01-01T00:00:01Z', facts: {} }
  const watch = new RunnerWatch({ program: github, idle: IDLE, rest: 3, sight: { ...sight, jobs: async () => [job] }, freeze, clock })
  const reported: unknown[] = []
  watch.onChange = (jobs, phase) => void reported.push([jobs, phase])
  expect(await watch.until({ exit: new Promise(() => undefined) }, NEVER)).toBe('idle')
  expect(reported).toEqual([
    [[job], 'idle'],
    [[job], 'draining'],
  ])
})

test('a job that no hook reports has been served, also if the machine leaves later because it is idle', async () => {
  const { freeze, clock, sight } = new PretendGithub(seeded(1), 3_600_000)
  let looks = 0
  const working = (): boolean => ++looks < 3
  const watch = new RunnerWatch({ program: github, idle: IDLE, rest: 3, sight: { ...sight, working }, freeze, clock })
  expect(await watch.until({ exit: new Promise(() => undefined) }, NEVER)).toBe('idle')
  expect(watch.silent()).toBe(1)
})

test('a job that its hook reports while the watch is looking counts once', async () => {
  const { freeze, clock, sight } = new PretendGithub(seeded(1), 3_600_000)
  const job = { epoch: 1, start: '2030-01-01T00:00:00Z', end: '2030-01-01T00:00:01Z', facts: {} }
  let [looks, over] = [0, false]
  const jobs = async (): Promise<ServedJob[]> => {
    looks += 1
    const reported = over ? [job] : []
    // The whole job is reported, and its process ends, just after the journal was read.
    over ||= looks === 2
    return reported
  }
  const watch = new RunnerWatch({ program: github, idle: IDLE, rest: 3, sight: { ...sight, jobs, working: () => !over }, freeze, clock })
  expect(await watch.until({ exit: new Promise(() => undefined) }, NEVER)).toBe('idle')
  expect([watch.ended, watch.silent()]).toEqual([1, 0])
})

test('a job that begins while the watch is looking counts once', async () => {
  const { freeze, clock, sight } = new PretendGithub(seeded(1), 3_600_000)
  const [start, end] = ['2030-01-01T00:00:00Z', '2030-01-01T00:00:01Z']
  let looks = 0
  // It begins after the look for its process, and before the journal is read.
  const jobs = async (): Promise<ServedJob[]> => {
    looks += 1
    if (looks < 2) return []
    return [{ epoch: 1, start, facts: {}, ...(looks > 4 && { end }) }]
  }
  const working = (): boolean => looks >= 2 && looks < 4
  const watch = new RunnerWatch({ program: github, idle: IDLE, rest: 3, sight: { ...sight, jobs, working }, freeze, clock })
  expect(await watch.until({ exit: new Promise(() => undefined) }, NEVER)).toBe('idle')
  expect([watch.ended, watch.silent()]).toEqual([1, 0])
})

describe('room for another job', () => {
  /** Of these jobs, each takes a second, with a second between them. Resolves to how the watch ended, and how often it had asked. */
  async function watched(jobs: number, full: (asked: number) => boolean, takes = 0): Promise<object> {
    const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
    const begun = clock.now()
    const at = (): number => (clock.now() - begun) / 1000
    const one = (from: number): ServedJob => ({
      epoch: 1,
      start: '2030-01-01T00:00:00Z',
      facts: {},
      ...(at() >= from + 1 && { end: '2030-01-01T00:00:01Z' }),
    })
    const sight = {
      jobs: async () => Array.from({ length: jobs }, (_, index) => 2 * index + 1).flatMap((from) => (at() >= from ? [one(from)] : [])),
      over: async () => undefined,
      working: () => false,
      effort: () => 0,
    }
    let [asked, held] = [0, 0]
    const freeze = { stop: async () => void held++, resume: async () => void held-- }
    const isFull = async (): Promise<boolean> => {
      await clock.sleep(takes)
      return full(++asked)
    }
    const watch = new RunnerWatch({ program: github, idle: 10, rest: 1, sight, freeze, clock, full: isFull })
    const how = await watch.until({ exit: new Promise(() => undefined) }, NEVER)
    return { how, asked, served: watch.ended, held }
  }

  test('is looked for once after each job, and never without one', async () => {
    expect(await watched(0, () => true)).toMatchObject({ how: 'idle', asked: 0, served: 0 })
    expect(await watched(3, () => false)).toMatchObject({ how: 'idle', asked: 3, served: 3 })
  })

  test('is missing after the second one: it takes no third one', async () => {
    expect(await watched(3, (asked) => asked === 2)).toEqual({ how: 'full', asked: 2, served: 2, held: 1 })
  })

  test('is missing, but another job has begun meanwhile: that goes on', async () => {
    expect(await watched(2, () => true, 1200)).toEqual({ how: 'full', asked: 2, served: 2, held: 1 })
  })
})

describe('a runner program that is started again', () => {
  /** Ends by itself after these milliseconds; `job`: reported by its hooks, from its beginning to its end, in milliseconds. */
  function started(clock: FakeClock, lasts: number, since: number | undefined, job?: readonly [from: number, to: number]) {
    const [begun, end] = [clock.now(), new AbortController()]
    const at = (): number => clock.now() - begun
    const one = { epoch: 1, start: '2030-01-01T00:00:00Z', facts: {} }
    const jobs = async (): Promise<ServedJob[]> => {
      if (at() >= lasts) end.abort()
      if (!job || at() < job[0]) return []
      return [at() < job[1] ? one : { ...one, end: '2030-01-01T00:00:01Z' }]
    }
    const sight = { jobs, over: async () => undefined, working: () => false, effort: () => 0 }
    const freeze = { stop: async () => undefined, resume: async () => undefined }
    const watch = new RunnerWatch({ program: github, idle: 10, rest: 1, sight, freeze, clock, idleSince: since })
    const exit = new Promise<Exit>((resolve) => end.signal.addEventListener('abort', () => resolve({ code: 0 })))
    return { watch, over: watch.until({ exit }, NEVER) }
  }

  /** Seconds after which the machine leaves whose runner program ends after these seconds, and is then started for good. */
  async function leavesAfter(lasts: readonly number[], job?: readonly [from: number, to: number]): Promise<number> {
    const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
    let since: number | undefined
    for (const seconds of lasts) {
      const { watch, over } = started(clock, seconds * 1000, since, job)
      expect(await over).toEqual({ code: 0 })
      since = watch.idleSince
    }
    expect(await started(clock, Number.POSITIVE_INFINITY, since).over).toBe('idle')
    return Math.round(clock.now() / 1000)
  }

  test('has not been idle for less long: the machine leaves when it would have left anyway', async () => {
    const leaves = await leavesAfter([])
    expect(leaves).toBe(10)
    expect(await leavesAfter([4, 4])).toBe(leaves)
  })

  test.each([
    ['the last look saw', [1000, 9000], 14],
    ['was over some time before', [1000, 2000], 12],
    ['began and ended between two looks', [1001, 1002], 11],
    ['its program left with, after the last look', [3900, 3950], 14],
  ] as const)('idle since its last job, which %s', async (_, job, leaves) => {
    expect(await leavesAfter([4], job)).toBe(leaves)
  })
})

describe('while other machines of its launch have not come', () => {
  const AT = '2030-01-01T00:00:00.000Z'
  /** Idle for ten seconds; the launch waits for its machines for a minute. */
  const launch = { count: 2, createdAt: AT, runner: { relaunch: { onlineTimeout: 60 } } }

  /** Seconds after which its machine leaves, if they are online after so many seconds. `clocks`: how far those of machine and command differ. */
  async function leaves(online: number, more: Partial<typeof launch> = {}, clocks = 0): Promise<number> {
    const clock = fakeClock(new Date(Date.parse(AT) + clocks * 1000).toISOString(), { auto: true })
    const begun = clock.now()
    const seconds = (): number => (clock.now() - begun) / 1000
    const control = {
      get online() {
        return seconds() >= online ? AT : undefined
      },
    }
    const wait = new LaunchWait({ ...launch, ...more }, control, clock)
    const sight = { jobs: async () => [], over: async () => undefined, working: () => false, effort: () => 0 }
    const freeze = { stop: async () => undefined, resume: async () => undefined }
    const early = (): boolean => wait.left > 0
    const watch = new RunnerWatch({ program: github, idle: 10, rest: 1, sight, freeze, clock, early })
    expect(await watch.until({ exit: new Promise(() => undefined) }, NEVER)).toBe('idle')
    return Math.round(seconds())
  }

  test.each([
    ['it stays, and its idle time begins when they are online', 30, {}, 0, 40],
    ['it stays no longer than they are waited for: the command may be gone', Number.POSITIVE_INFINITY, {}, 0, 70],
    ['it stays no longer, although its clock is late', Number.POSITIVE_INFINITY, {}, -3600, 70],
    ['it leaves in time if that is long ago: it has replaced another one', Number.POSITIVE_INFINITY, {}, 3600, 10],
    ['it leaves in time if it is the only one', Number.POSITIVE_INFINITY, { count: 1 }, 0, 10],
    [
      'they are waited for from their registration on',
      Number.POSITIVE_INFINITY,
      { runner: { ...launch.runner, registered: '2030-01-01T00:00:20.000Z' } },
      30,
      60,
    ],
  ] as const)('%s', async (_, online, more, clocks, after) => {
    expect(await leaves(online, more, clocks)).toBe(after)
  })
})
