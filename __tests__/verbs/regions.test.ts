/** A task of several regions goes on in the next one where none has room for it: one run, whoever follows it, whoever is killed, and whenever it is stopped. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { takeOver } from '../../src/agent/slot/takeover-rules.ts'
import { parseRecord } from '../../src/wire/parse.ts'
import { CURRENT } from '../../src/wire/records.ts'
import { SLOT } from '../../src/wire/slot.ts'
import { clockOf } from '../clouds/awkward/account.ts'
import { Commands, EAST, type Ended, type Given, WEST } from '../clouds/awkward/commands.ts'
import { type Death, deathAt } from '../storm/dying.ts'

jest.setTimeout(120_000)

const MINUTE = 60_000
const BOTH = ['--region', `${EAST},${WEST}`]

let all: Commands
beforeEach(() => {
  all = new Commands()
  all.room(EAST, 0)
})
afterEach(() => {
  all.close()
  // One run: wherever it is, no two machines are at it.
  expect(all.most).toBeLessThanOrEqual(1)
})

const task = (...more: string[]): string[] => [
  'task',
  '--cloud',
  'awkward',
  ...BOTH,
  '--json',
  '--timeout',
  '24h',
  '--output',
  'result',
  '--name',
  'fit',
  '--script',
  'true',
  ...more,
]

const current = () => {
  const found = [...all.store.objects].find(([key]) => key.endsWith('/current.json'))
  return found && parseRecord(CURRENT, found[1].bytes, found[0])
}
const region = (): string | undefined => {
  const now = current()
  return now?.where?.[now.incarnation]?.region
}
const result = (): string => readFileSync(join(all.root, 'work', 'result'), 'utf8')

const until = async (done: () => boolean): Promise<void> => all.until(done)
/** As a machine does that came this very moment, and dies. */
async function takeSlot(): Promise<void> {
  for (const [key, { bytes, version }] of all.store.objects) {
    if (!key.endsWith('/slot.json')) continue
    const before = parseRecord(SLOT, bytes, key)
    const taker = { machine: 'late', at: before.at, beat: 15_000, silence: '' }
    const rules = { retry: { maxAttempts: 5 }, pastDeadline: false, deadline: before.at }
    await all.store.write(key, Buffer.from(JSON.stringify({ ...takeOver(before, taker, rules), nonce: 'late' })), { version })
  }
}

const moved = (): boolean => current()?.moved !== undefined
const start = async (given: Given = {}, ...more: string[]): Promise<Ended> => all.start(task(...more), given)

test('it goes on in the next region with all that it was given, by the deadline that it had, and nothing stays', async () => {
  const running = start({ env: { KEY: 'sesame' } }, '--env', 'KEY')
  await until(() => current()?.state === 'open')
  const { incarnation = '' } = current() ?? {}
  const spec = (of: string) => {
    const found = [...all.store.objects].find(([key]) => key.endsWith(`/${of}/spec.json`))
    return JSON.parse(Buffer.from(found?.[1].bytes ?? '').toString()) as Record<string, unknown>
  }
  const before = spec(incarnation)
  await until(() => moved() && current()?.state === 'open')
  const next = current()?.incarnation ?? ''
  expect(spec(next)).toEqual({ ...before, incarnation: next })
  expect([region(), current()?.moved]).toEqual([WEST, { [incarnation]: EAST }])
  const { code, lines } = await all.passing(running)
  expect([code, result()]).toEqual([0, 'done\n'])
  expect(lines).toContainEqual(expect.stringContaining(`no machine was to be had in ${EAST}: going on in ${WEST}`))
  expect(all.remains()).toEqual([])
})

test('whoever follows it beside goes on with it, and each has the results', async () => {
  const first = start()
  await until(() => current()?.state === 'open')
  const others = [start({ home: 'elsewhere' }), all.start(['logs', 'fit', '--follow', '--cloud', 'awkward', ...BOTH])]
  const ends = await all.passing(Promise.all([first, ...others]))
  expect(ends.map(({ code, lines }) => [code, code === 0 ? [] : lines])).toEqual([
    [0, []],
    [0, []],
    [0, []],
  ])
  expect(ends[2]?.lines.join('\n')).not.toContain('another command removed it')
  expect(all.remains()).toEqual([])
})

test('of two that move it at once one does, and both go on with that', async () => {
  const clock = clockOf(all.account)
  const through: Death['through'] = async (name, act) => {
    // Until the other one has come to it, too.
    if (current()?.state === 'open' && /^write .*current\.json$/.test(name)) await clock.sleep(2 * MINUTE)
    return act()
  }
  const slow = start({ death: { through, died: new Promise(() => undefined) } })
  await until(() => current()?.state === 'open')
  const [first, second] = await all.passing(Promise.all([slow, start({ home: 'elsewhere' })]))
  expect([first.code, second.code, all.begun]).toEqual([0, 0, [WEST]])
  expect([first, second].map(({ lines }) => lines.some((line) => line.includes(`going on in ${WEST}`)))).toEqual([true, true])
  expect(all.remains()).toEqual([])
})

test('whoever comes back after its first command was killed moves it, too', async () => {
  const death = deathAt(1, false, (call) => call === 'observe' && current()?.state === 'open')
  expect((await all.passing(start({ death }))).code).toBe('killed')
  const again = await all.passing(start())
  expect([again.code, again.lines.join('\n')]).toEqual([0, expect.stringContaining(`going on in ${WEST}`)])
  expect(all.remains()).toEqual([])
})

test('commands that name the first region alone, or both, find it where it went', async () => {
  const death = deathAt(1, false, (call) => call === 'observe' && region() === WEST && current()?.state === 'open')
  all.work = { takes: 300 * MINUTE }
  const ended = start({ death })
  await until(() => region() === WEST && current()?.state === 'open')
  await all.passing(ended)
  const named = (verb: string, ...where: string[]) => all.passing(all.start([verb, 'fit', '--cloud', 'awkward', '--json', ...where]))
  await until(() => all.account.world.fleet.machines.size > 0)
  for (const where of [BOTH, ['--region', EAST], ['--region', WEST]])
    expect((await named('status', ...where)).facts).toMatchObject({ name: 'fit', outcome: 'running' })
  expect((await named('stop', '--region', EAST)).code).toBe(0)
  await all.passing(all.start(['destroy', 'fit', '--discard', '--cloud', 'awkward', ...BOTH]))
  expect(all.remains()).toEqual([])
})

test('a run of that name that had failed and is kept is no hindrance', async () => {
  all.room(EAST, Infinity)
  all.work = { takes: MINUTE, exitCode: 3 }
  expect((await all.passing(start())).code).toBe(3)
  expect(all.remains()).not.toEqual([])
  all.room(EAST, 0)
  all.work = { takes: MINUTE }
  const end = await all.passing(start())
  expect([end.code, end.lines.join('\n')]).toEqual([0, expect.stringContaining(`going on in ${WEST}`)])
  expect(all.remains()).toEqual([])
})

test('a region that has faults of its own is left out, and only where none is left is the task refused', async () => {
  const end = await all.passing(start({ faulty: { [EAST]: 'there is none' } }))
  expect([end.code, end.lines.join('\n')]).toEqual([0, expect.stringContaining(`region: ${EAST} is left out: image: there is none`)])
  const none = await all.passing(start({ faulty: { [EAST]: 'there is none', [WEST]: 'nor here' } }))
  expect(none.code).toBe(64)
  expect(all.remains()).toEqual([])
})

test('a quota that is used up ends it at once, wherever it might go on', async () => {
  all.account.world.supply.setQuota(EAST, 'spot', 0)
  all.account.world.supply.setQuota(EAST, 'on-demand', 0)
  const end = await all.passing(start())
  expect([end.code, end.lines.join('\n')]).toEqual([69, expect.not.stringContaining('going on')])
})

test('a time to wait is counted once, not in each region', async () => {
  all.room(WEST, 0)
  const began = all.account.clock.now()
  const end = await all.passing(start({}, '--wait', '180m', '--region-wait', '120m'))
  expect([end.code, region()]).toEqual([75, WEST])
  // Making it takes minutes here, twice.
  expect(all.account.clock.now() - began).toBeLessThan(240 * MINUTE)
})

describe('capacity that comes after all', () => {
  test('in the moment of the decision, is used: the run stays where a machine has begun', async () => {
    let decided = false
    const through: Death['through'] = async (name, act) => {
      if (!decided && current()?.state === 'open' && /^write .*current\.json$/.test(name)) {
        decided = true
        await takeSlot()
      }
      return act()
    }
    const running = start({ death: { through, died: new Promise(() => undefined) } })
    await until(() => decided && current()?.state === 'open')
    expect([region(), current()?.moved]).toEqual([EAST, undefined])
    all.room(EAST, Infinity)
    const { code, lines } = await all.passing(running)
    expect([code, result()]).toEqual([0, 'done\n'])
    expect(lines).toContainEqual(expect.stringContaining(`waits on in ${EAST}: a machine has begun`))
    expect(all.remains()).toEqual([])
  })

  test('in a region that was left, has nothing to do there: what takes a slot late begins nothing', async () => {
    const running = start()
    await until(() => moved() && current()?.state === 'making')
    all.room(EAST, Infinity)
    const { code } = await all.passing(running)
    expect([code, result(), all.begun]).toEqual([0, 'done\n', [WEST]])
    expect(all.remains()).toEqual([])
  })
})

/** Calls of a move, by the number of each from when the name is taken. */
const fromTheMove: Parameters<typeof deathAt>[2] = () => moved()

describe('whoever moves it is killed', () => {
  const deaths = Array.from({ length: 7 }, (_, at) => 1 + at * 9)
  test.each(deaths)('at call %i of that, and comes back', async (at) => {
    const killed = await all.passing(start({ death: deathAt(at, at % 2 === 0, fromTheMove) }))
    const again = await all.passing(start())
    expect([killed.code, again.code, result()]).toEqual(['killed', 0, 'done\n'])
    expect(all.remains()).toEqual([])
  })

  const stop = async (): Promise<Ended> => all.start(['stop', 'fit', '--cloud', 'awkward', '--json', ...BOTH])
  const post = async (since: string): Promise<Ended> => all.post(task(), { id: current()?.id ?? '', since, begun: 'created' })
  test.each(deaths.flatMap((at) => [[at, 'the workflow cleans up after it', post] as const, [at, 'it is stopped', stop] as const]))(
    'at call %i of that, and %s: nothing is to run anywhere',
    async (at, _, end) => {
      const since = new Date(all.account.clock.now()).toISOString()
      all.work = { takes: 300 * MINUTE }
      expect((await all.passing(start({ death: deathAt(at, at % 2 === 1, fromTheMove) }))).code).toBe('killed')
      const ended = await all.passing(end(since))
      await all.pass(2 * MINUTE)
      expect([ended.code, all.wanted(), ended.lines]).toEqual([0, 0, ended.lines])
      await all.passing(all.start(['destroy', 'fit', '--discard', '--cloud', 'awkward', ...BOTH]))
      expect(all.remains()).toEqual([])
    },
  )
})

describe('it is stopped while it moves', () => {
  test.each(Array.from({ length: 6 }, (_, at) => at * 80_000))('%i ms after the name is taken', async (later) => {
    all.work = { takes: 300 * MINUTE }
    const running = start()
    await until(moved)
    await all.pass(later)
    const stopped = all.start(['stop', 'fit', '--cloud', 'awkward', '--json', ...BOTH])
    const [end, stop] = await all.passing(Promise.all([running, stopped]))
    expect([end.code, stop.code, stop.lines.slice(-3)]).toEqual([130, 0, expect.anything()])
    await all.pass(10 * MINUTE)
    rmSync(join(all.root, 'work', 'result'), { force: true })
    await all.passing(all.start(['destroy', 'fit', '--discard', '--cloud', 'awkward', ...BOTH]))
    expect([all.remains(), existsSync(join(all.root, 'work', 'result'))]).toEqual([[], false])
  })
})
