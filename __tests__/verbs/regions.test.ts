/** A task for several regions moves to the next one if the current one has no room. `storm/region-moves` kills and stops it meanwhile. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { takeOver } from '../../src/agent/slot/takeover-rules.ts'
import { RemoteError } from '../../src/core/errors.ts'
import { recall } from '../../src/engine/history.ts'
import { encodeManifest, readManifest } from '../../src/snapshot/format/manifest.ts'
import { parseRecord } from '../../src/wire/parse.ts'
import { SLOT } from '../../src/wire/slot.ts'
import { StoreError } from '../../src/wire/store.ts'
import { clockOf } from '../clouds/awkward/account.ts'
import { EAST, type Given, WEST } from '../clouds/awkward/commands.ts'
import { leave } from '../clouds/awkward/machine.ts'
import { BOTH, MINUTE, TwoRegions } from '../clouds/awkward/two-regions.ts'
import { type Death, deathAt } from '../storm/dying.ts'

jest.setTimeout(120_000)

let all: TwoRegions
beforeEach(() => {
  all = new TwoRegions()
})
afterEach(() => all.close())

const until = async (done: () => boolean): Promise<void> => all.until(done)
/** Takes a slot like a machine that has just come, and dies. */
async function takeSlot(): Promise<void> {
  for (const [key, { bytes, version }] of all.store.objects) {
    if (!key.endsWith('/slot.json')) continue
    const before = parseRecord(SLOT, bytes, key)
    const taker = { machine: 'late', at: before.at, beat: 15_000, silence: '' }
    const rules = { retry: { maxAttempts: 5 }, pastDeadline: false, deadline: before.at }
    await all.store.write(key, Buffer.from(JSON.stringify({ ...takeOver(before, taker, rules), nonce: 'late' })), { version })
  }
}

const current = () => all.current()
const region = (): string | undefined => all.region()
const moved = (): boolean => all.moved()
/** Most tests wait in the first region for less than the usual ten minutes, of which each takes this computer a while. */
const start: TwoRegions['run'] = async (given, ...more) => all.run(given, '--region-wait', '4m', ...more)

test('it continues in the next region with everything that it was given, and the same deadline, and nothing is left', async () => {
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
  expect([code, all.result()]).toEqual([0, 'done\n'])
  expect(lines).toContainEqual(expect.stringContaining(`no machine was available in ${EAST}: moving to ${WEST}`))
  expect(all.remains()).toEqual([])
})

test('other followers move with it, and each gets the results', async () => {
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

test('a follower that is too late for the next region is registered nowhere any more', async () => {
  all.work = { takes: 300 * MINUTE }
  let removing: Promise<unknown> | undefined
  const through: Death['through'] = async (name, act) => {
    // It has found out where the run goes on, and is about to register there.
    if (region() === WEST && current()?.state === 'open' && name.startsWith('write ') && name.includes('/controllers/'))
      await (removing ??= all.destroy('--discard'))
    return act()
  }
  const first = start()
  await until(() => current()?.state === 'open')
  const follows = all.start(['logs', 'fit', '--follow', '--cloud', 'awkward', ...BOTH], {
    death: { through, died: new Promise(() => undefined) },
  })
  await all.passing(Promise.all([first, follows]))
  expect(removing).toBeDefined()
  await all.pass(MINUTE)
  expect(all.remains()).toEqual([])
})

test('if two commands move it at once, one succeeds, and both continue with that', async () => {
  const clock = clockOf(all.account)
  const through: Death['through'] = async (name, act) => {
    // Waits until the other command has decided, too.
    if (current()?.state === 'open' && /^write .*current\.json$/.test(name)) await clock.sleep(2 * MINUTE)
    return act()
  }
  const slow = start({ death: { through, died: new Promise(() => undefined) } })
  await until(() => current()?.state === 'open')
  const [first, second] = await all.passing(Promise.all([slow, start({ home: 'elsewhere' })]))
  expect([first.code, second.code, all.begun]).toEqual([0, 0, [WEST]])
  expect([first, second].map(({ lines }) => lines.some((line) => line.includes(`moving to ${WEST}`)))).toEqual([true, true])
  expect(all.remains()).toEqual([])
})

test('a command that attaches after the first one was killed moves it, too', async () => {
  const death = deathAt(1, false, (call) => call === 'observe' && current()?.state === 'open')
  expect((await all.passing(start({ death }))).code).toBe('killed')
  const again = await all.passing(start())
  expect([again.code, again.lines.join('\n')]).toEqual([0, expect.stringContaining(`moving to ${WEST}`)])
  expect(all.remains()).toEqual([])
})

test('commands that name the first region alone, or both, find it in its new region', async () => {
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

test('a failed run of that name that is kept is no hindrance', async () => {
  all.room(EAST, Infinity)
  all.work = { takes: MINUTE, exitCode: 3 }
  expect((await all.passing(start())).code).toBe(3)
  expect(all.remains()).not.toEqual([])
  all.room(EAST, 0)
  all.work = { takes: MINUTE }
  const end = await all.passing(start())
  expect([end.code, end.lines.join('\n')]).toEqual([0, expect.stringContaining(`moving to ${WEST}`)])
  expect(all.remains()).toEqual([])
})

test('the checkpoints of a run that it resumes go along, also the one to fall back on', async () => {
  const record = () => {
    const [key = '', object] = [...all.store.objects].findLast(([name]) => name.endsWith('/slot.json')) ?? []
    return { key, root: key.replace(/slots\/.*/, ''), slot: parseRecord(SLOT, object?.bytes ?? new Uint8Array(), key) }
  }
  all.room(EAST, Infinity)
  all.work = { takes: MINUTE, exitCode: 3 }
  expect((await all.passing(start())).code).toBe(3)
  const { key, root, slot } = record()
  const head = slot.head!
  // Another one of the same content.
  const { bytes, digest } = await encodeManifest({ ...(await readManifest(all.store, root, head)), unquiet: ['else'] })
  await all.store.write(`${root}${head.at}m-${digest}`, bytes)
  await all.store.write(key, Buffer.from(JSON.stringify({ ...slot, previous: { ...head, digest } })))
  all.room(EAST, 0)
  all.work = { takes: MINUTE }
  const running = start({}, '--resume')
  await until(() => moved() && current()?.state === 'open')
  const there = record()
  expect(there.slot).toMatchObject({ epoch: 0, head: { at: head.at }, previous: { at: head.at } })
  for (const ref of [there.slot.head, there.slot.previous])
    expect(all.store.objects.has(`${there.root}${ref?.at}m-${ref?.digest}`)).toBe(true)
  expect((await all.passing(running)).code).toBe(0)
})

test('a region with faults of its own is left out, and the task is refused only if none is left', async () => {
  const end = await all.passing(start({ faulty: { [EAST]: 'there is none' } }))
  expect([end.code, end.lines.join('\n')]).toEqual([0, expect.stringContaining(`region: ${EAST} is left out: image: there is none`)])
  const none = await all.passing(start({ faulty: { [EAST]: 'there is none', [WEST]: 'nor here' } }))
  expect(none.code).toBe(64)
  expect(all.remains()).toEqual([])
})

test('a used-up quota ends it at once, without another region', async () => {
  all.account.world.supply.setQuota(EAST, 'spot', 0)
  all.account.world.supply.setQuota(EAST, 'on-demand', 0)
  const end = await all.passing(start())
  expect([end.code, end.lines.join('\n')]).toEqual([69, expect.not.stringContaining('going on')])
})

test('the waiting time is counted once, not in each region', async () => {
  all.room(WEST, 0)
  const began = all.account.clock.now()
  const end = await all.passing(all.run({}, '--wait', '60m', '--region-wait', '40m'))
  expect([end.code, region()]).toEqual([75, WEST])
  // Making the run takes minutes here, twice.
  expect(all.account.clock.now() - began).toBeLessThan(80 * MINUTE)
})

describe('capacity that comes after all', () => {
  test('just when the move is decided, is used: the run stays where a machine has begun', async () => {
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
    expect([code, all.result()]).toEqual([0, 'done\n'])
    expect(lines).toContainEqual(expect.stringContaining(`keeps waiting in ${EAST}: a machine has begun`))
    expect(all.remains()).toEqual([])
  })

  test('in the former region, is not used: a machine that takes its slot late begins nothing', async () => {
    const running = start()
    await until(() => moved() && current()?.state === 'making')
    all.room(EAST, Infinity)
    const { code } = await all.passing(running)
    expect([code, all.result(), all.begun]).toEqual([0, 'done\n', [WEST]])
    expect(all.remains()).toEqual([])
  })
})

/** A command whose calls go through this function; it is not killed. */
const hearing = (through: Death['through']): Given => ({ death: { through, died: new Promise(() => undefined) } })
const isTaking = (name: string): boolean => current()?.state === 'open' && /^write .*current\.json$/.test(name)
const machines = (): string[] => [...all.account.world.fleet.machines.keys()]
const history = async (): Promise<unknown> => (await recall(join(all.root, 'home'))).map(({ outcome, destroyed }) => [outcome, destroyed])
const wantedIn = (where: string): number =>
  [...all.account.groups.values()].reduce((sum, { region, group }) => sum + (region === where ? (group?.sizes.wanted ?? 0) : 0), 0)
const atOpen = (): boolean => region() === WEST && current()?.state === 'open'

describe('a move is called off', () => {
  test('for a machine that only a new look shows: the name was not taken even for a moment', async () => {
    const seen = { stale: false, taken: false }
    let kept: unknown
    const running = all.run(
      hearing(async (name, act) => {
        seen.taken ||= moved()
        // It has decided to move, and no longer follows the run.
        if (/^remove .*\/controllers\//.test(name)) seen.stale = false
        if (name !== 'observe') return act()
        if (!seen.stale) kept = await act()
        return kept as ReturnType<typeof act>
      }),
    )
    await until(() => current()?.state === 'open')
    await all.pass(10 * MINUTE - 20_000)
    seen.stale = true
    all.room(EAST, Infinity)
    for (const { group } of all.account.groups.values()) group?.resize({ wanted: 1, max: 1 }, 'one more try')
    const { code, lines } = await all.passing(running)
    expect(lines).toContainEqual(expect.stringContaining(`keeps waiting in ${EAST}: a machine has come`))
    expect([code, all.begun, machines().length, seen.taken]).toEqual([0, [EAST], 1, false])
    expect(all.remains()).toEqual([])
  })

  test.each([
    ['which gets the name back, and works', false],
    ['which leaves all the same, late, and is requested again', true],
  ])('for a machine that comes as the name is taken, %s', async (_, leaves) => {
    const clock = clockOf(all.account)
    let decided = false
    const running = start(
      hearing(async (name, act) => {
        if (decided || !isTaking(name)) return act()
        decided = true
        all.room(EAST, Infinity)
        while (machines().length === 0) await clock.sleep(1000)
        // Waits until every replica shows the machine.
        await clock.sleep(15_000)
        return act()
      }),
    )
    await until(() => decided && machines().length > 0)
    const [first = ''] = machines()
    await all.pass(30_000)
    expect([region(), current()?.state]).toEqual([EAST, 'open'])
    if (leaves) leave(all.account, first, 'done')
    const { code, lines } = await all.passing(running)
    expect(lines).toContainEqual(expect.stringContaining(`keeps waiting in ${EAST}: a machine has come`))
    expect([code, all.begun, machines().length]).toEqual([0, [EAST], leaves ? 2 : 1])
    // A group that may belong to another maker is scaled again, as the vendor requires.
    expect(all.account.resumed).toBe(leaves ? 2 : 1)
    expect(all.remains()).toEqual([])
  })

  test('for a machine that takes its slot after the last look: the copied record does not show that', async () => {
    let late = false
    const running = start(
      hearing(async (name, act) => {
        if (!late && moved() && name.startsWith('init ')) {
          late = true
          await takeSlot()
        }
        return act()
      }),
    )
    await until(() => late)
    all.room(EAST, Infinity)
    const { code, lines } = await all.passing(running)
    expect(lines).toContainEqual(expect.stringContaining(`keeps waiting in ${EAST}: a machine has begun`))
    expect([code, all.begun]).toEqual([0, [EAST]])
  })

  test('while a stop request is under way: it applies where the run stays', async () => {
    let fails = false
    const running = start(
      hearing(async (name, act) => {
        if (fails && moved() && name === 'ensure group') throw new RemoteError('there is none')
        return act()
      }),
    )
    await until(() => moved() && [...all.account.groups.values()].some(({ region }) => region === WEST))
    const clock = clockOf(all.account)
    let reads = 0
    const stopping = all.stop(
      hearing(async (name, act) => {
        if (/^read .*current\.json$/.test(name) && ++reads === 2) {
          fails = true
          for (let looks = 0; looks < 1200 && (moved() || current()?.state !== 'open'); looks++) await clock.sleep(1000)
        }
        return act()
      }),
    )
    const [end, stop] = await all.passing(Promise.all([running, stopping]))
    expect([end.code, stop.code, stop.lines]).toEqual([130, 0, stop.lines])
  })
})

describe('the command that moved it is killed after the move', () => {
  test.each([
    ['the same command again', async () => start({}, '--wait', '10m'), 75],
    ['a stop', async () => all.stop(), 0],
    ['the post step', async (since: string) => all.cleanUp(since), 0],
  ] as const)('%s prevents machines in the former region', async (_, next, code) => {
    all.work = { takes: 300 * MINUTE, results: join(all.root, 'made') }
    const since = new Date(all.account.clock.now()).toISOString()
    expect((await all.passing(start({ death: deathAt(1, false, atOpen) }))).code).toBe('killed')
    await until(() => all.begun.length > 0)
    expect(wantedIn(EAST)).toBe(1)
    const ended = await all.passing(next(since))
    expect([ended.code, wantedIn(EAST), ended.lines]).toEqual([code, 0, ended.lines])
  })
})

describe('the moving command is killed, and nobody starts it again', () => {
  const killed = async (): Promise<void> => {
    // All of it is made, and no machine is requested yet.
    const death = deathAt(1, false, (call) => call === 'start' && moved())
    expect((await all.passing(start({ death }))).code).toBe('killed')
    expect([current()?.state, region()]).toEqual(['making', WEST])
  }

  test('it is destroyed only with --discard, and no end is reported that did not happen', async () => {
    await killed()
    const refused = await all.passing(all.destroy())
    expect([refused.code, refused.lines.join('\n')]).toEqual([64, expect.stringContaining('is still running')])
    expect([region(), current()?.state, wantedIn(EAST), await history()]).toEqual([EAST, 'open', 1, []])
  })

  test('a sweep restores it in the former region, where it waits, and reports no more', async () => {
    await killed()
    await all.passing(all.start(['sweep', '--yes', '--cloud', 'awkward', ...BOTH]))
    expect([region(), current()?.state, wantedIn(EAST), await history()]).toEqual([EAST, 'open', 1, []])
  })

  test('past its deadline a sweep starts no machine again', async () => {
    await killed()
    all.room(EAST, Infinity)
    await all.pass(27 * 60 * MINUTE, 5 * MINUTE)
    const before = machines().length
    await all.passing(all.start(['sweep', '--yes', '--cloud', 'awkward', ...BOTH]))
    await all.pass(5 * MINUTE)
    expect([all.wanted(), machines().length]).toEqual([0, before])
  })
})

test('if it cannot be made in the first region because of that region, it starts in the next one', async () => {
  let failed = false
  const end = await all.passing(
    start(
      hearing(async (name, act) => {
        if (failed || name !== 'ensure group') return act()
        failed = true
        throw new RemoteError('that region is not itself today')
      }),
    ),
  )
  expect([end.code, all.begun, end.lines.join('\n')]).toEqual([0, [WEST], expect.stringContaining(`not itself today: trying ${WEST}`)])
  expect(all.remains()).toEqual([])
})

test('a follower whose wait ends just as the run moves is told to attach again', async () => {
  const clock = clockOf(all.account)
  all.work = { takes: 45 * MINUTE }
  const first = start()
  await until(() => current()?.state === 'open')
  let over = Number.POSITIVE_INFINITY
  const isOver = (): boolean => atOpen() && clock.now() > over
  const second = start(
    {
      home: 'elsewhere',
      ...hearing(async (name, act) => {
        // Its wait ends before it has noticed the move.
        if (name === 'observe' && moved()) for (let looks = 0; looks < 7200 && !isOver(); looks++) await clock.sleep(500)
        const done = await act()
        if (/^write .*\/controllers\//.test(name)) over = Math.min(over, clock.now() + 7 * MINUTE)
        // Meanwhile everything in the former region is removed, since nobody reads it any more.
        if (/^remove .*\/controllers\//.test(name)) await clock.sleep(15 * MINUTE)
        return done
      }),
    },
    '--wait',
    '6m',
  )
  const [one, two] = await all.passing(Promise.all([first, second]))
  expect([one.code, two.code, two.lines]).toEqual([0, 75, two.lines])
})

test('a recorded stop does not fail because a later read failed', async () => {
  all.room(EAST, Infinity)
  all.work = { takes: 300 * MINUTE }
  const running = start()
  await until(() => all.begun.length > 0)
  const seen = { written: false, failed: false }
  const stop = await all.passing(
    Promise.all([
      running,
      all.start(
        ['stop', 'fit', '--cloud', 'awkward', '--json', '--region', EAST],
        hearing(async (name, act) => {
          if (seen.written && !seen.failed && /^read .*current\.json$/.test(name)) {
            seen.failed = true
            throw new StoreError('denied', 'not just now')
          }
          const done = await act()
          seen.written ||= /^write .*control\.json$/.test(name)
          return done
        }),
      ),
    ]),
  )
  expect([seen, ...stop.map(({ code }) => code)]).toEqual([{ written: true, failed: true }, 130, 0])
})

test.each([[['--region', '']], [[]]])('an empty region counts as none: %j', async (words) => {
  all.room(EAST, Infinity)
  const given = words.length > 0 ? {} : { env: { TPI_REGION: '' } }
  const end = await all.passing(
    all.start(['task', '--cloud', 'awkward', ...words, '--json', '--output', 'result', '--name', 'fit', '--script', 'true'], given),
  )
  expect([end.code, all.begun]).toEqual([0, [EAST]])
})
