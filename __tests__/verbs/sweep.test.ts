/** A sweep gives back machines past their deadline at once, and what their run has saved only after its retention. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Cloud } from '../../src/core/cloud.ts'
import { RemoteError } from '../../src/core/errors.ts'
import { LeftOutError } from '../../src/core/tags.ts'
import { livingRunners } from '../../src/verbs/sweep.ts'
import { parseRecord } from '../../src/wire/parse.ts'
import { SLOT, type SlotRecord, type SnapshotRef } from '../../src/wire/slot.ts'
import { StoreError } from '../../src/wire/store.ts'
import { Commands, EAST, type Ended, type Given } from '../clouds/awkward/commands.ts'
import type { Death } from '../storm/dying.ts'
import { RELAUNCH, RUNNER } from '../wire/specs.ts'

jest.setTimeout(120_000)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DEADLINE = '--timeout=24h'
/** Deadline, grace and reserve. */
const OVER = 24 * HOUR + 30_000 + 300_000
const DAY = 24 * HOUR

let all: Commands
let began: number
beforeEach(() => {
  all = new Commands()
  all.work = { takes: 100 * HOUR }
  // Only then do machines, or the wish for them, outlast the deadline.
  all.account.switches = false
  began = all.account.clock.now()
})
afterEach(() => all.close())

const ON = ['--cloud', 'awkward', '--json']
const swept = async (given?: Given, ...more: string[]): Promise<Ended> => all.passing(all.start(['sweep', '--yes', ...more, ...ON], given))
const called = async (verb: string, ...more: string[]): Promise<Ended> => all.passing(all.start([verb, 'fit', ...more, ...ON]))

async function started(...more: string[]): Promise<void> {
  const words = ['task', ...ON, DEADLINE, '--output', 'result', '--name', 'fit', '--detach', ...more, '--script', 'true']
  expect((await all.passing(all.start(words))).code).toBe(0)
}
const machines = (): number => all.account.world.fleet.present(EAST).length

/** Hours after the start. */
async function at(hours: number): Promise<void> {
  await all.pass(began + hours * HOUR - all.account.clock.now(), 5 * MINUTE)
}

function slots(): readonly SlotRecord[] {
  const found = [...all.store.objects].filter(([key]) => key.endsWith('/slot.json'))
  return found.map(([key, { bytes }]) => parseRecord(SLOT, bytes, key))
}

/** Machines write this. */
async function noted(change: (slot: SlotRecord) => SlotRecord): Promise<void> {
  for (const [key, { bytes, version }] of all.store.objects)
    if (key.endsWith('/slot.json')) {
      const next = { ...change(parseRecord(SLOT, bytes, key)), nonce: `noted-${all.account.clock.now()}`, at: now() }
      await all.store.write(key, Buffer.from(JSON.stringify(next)), { version })
    }
}
const now = (): string => new Date(all.account.clock.now()).toISOString()

/** Nobody reads it here. */
const head = (): SnapshotRef => ({
  digest: 'a'.repeat(64),
  at: 'slots/0/snap/',
  epoch: 1,
  savedAt: now(),
  quiet: true,
  files: 1,
  bytes: 5,
})
/** Its machine has saved, and has left the slot like this. */
const saved = async (end: Partial<SlotRecord>): Promise<void> =>
  noted(({ holder: _holder, phase: _phase, ...slot }) => ({ ...slot, head: head(), ...end }))
/** The records. */
const kept = (): readonly string[] => [...all.store.objects.keys()].filter((key) => /slot\.json|spec\.json/.test(key))

/** Of the run's machine, which is reclaimed; no other one comes. */
async function reclaimed(): Promise<void> {
  await all.until(() => slots()[0]?.epoch === 1)
  all.room(EAST, 0)
  all.work = { takes: 100 * HOUR, hangs: true }
  for (const machine of all.account.world.fleet.present(EAST)) all.account.world.lose(machine, 'reclaimed')
  await saved({ state: 'interrupted' })
}

test('of a run whose record is damaged only machines go, and that is reported', async () => {
  all.work = { takes: HOUR, hangs: true }
  await started()
  await all.until(() => slots()[0]?.epoch === 1)
  await at(25)
  const key = [...all.store.objects.keys()].find((one) => one.endsWith('/slot.json')) ?? ''
  const object = all.store.objects.get(key)!
  await all.store.write(key, Buffer.alloc(0), { version: object.version })
  const { code, facts, lines } = await swept()
  expect([code, facts]).toEqual([76, [expect.objectContaining({ removed: false, keptUntil: null })]])
  expect(lines.join('\n')).toContain('could not remove')
  expect([all.wanted(), kept().length]).toEqual([0, 2])
  await at(24 + 7 * 24 + 1)
  expect((await swept()).facts).toMatchObject([{ name: 'fit', removed: true }])
  expect(all.remains()).toEqual([])
})

describe('of a run whose machine was reclaimed, and which got no other one until its deadline', () => {
  beforeEach(async () => {
    await started()
    await reclaimed()
    await at(25)
    expect(all.wanted()).toBe(1)
  })

  test('by a clock that is ahead of the servers’ nothing is removed, and the command says what to do', async () => {
    const { code, lines } = await swept({ clockFault: () => ({ ahead: 8 * HOUR, server: 's3.example.org' }) })
    expect([code, all.wanted()]).toEqual([76, 1])
    expect(lines.join('\n')).toContain('the clock of this computer is 8h ahead of that of s3.example.org: nothing is removed')
    const behind = await swept({ clockFault: () => ({ ahead: -8 * HOUR, server: 's3.example.org' }) })
    expect([behind.code, all.wanted()]).toEqual([0, 0])
    expect(behind.lines).toContainEqual(expect.stringMatching(/^warn.*is 8h behind that of s3\.example\.org: deadlines are wrong/))
  })

  test('it removes only the group’s wish for machines, and says until when the rest stays', async () => {
    const { code, facts, lines } = await swept()
    expect([code, facts]).toEqual([0, [expect.objectContaining({ name: 'fit', removed: false, keptUntil: expect.any(String) })]])
    expect(all.wanted()).toBe(0)
    expect(slots()).toMatchObject([{ state: 'timed-out', cause: 'timed-out', reason: expect.stringMatching(/^deadline /) }])
    const [{ keptUntil }] = facts as [{ keptUntil: string }]
    expect(Date.parse(keptUntil) - began).toBeGreaterThanOrEqual(OVER + 7 * DAY)
    expect(lines.join('\n')).toContain(`fit: its machines are removed; checkpoints, results and logs stay until ${keptUntil}`)
    const status = await called('status')
    expect(status.facts).toMatchObject({ outcome: 'timed-out', slots: [{ savedAt: expect.any(String) }] })
  })

  test('the next ones leave it alone until its retention is over, and then remove it', async () => {
    await swept()
    await at(26)
    const looked = await all.passing(all.start(['sweep', ...ON]))
    expect([looked.code, looked.facts]).toEqual([0, []])
    expect([(await swept()).facts, kept().length]).toEqual([[], 2])
    await at(24 + 7 * 24 + 3)
    expect((await swept()).facts).toMatchObject([{ name: 'fit', removed: true, keptUntil: null }])
    expect(all.remains()).toEqual([])
  })

  test('without --yes it says what would stay', async () => {
    const { code, facts } = await all.passing(all.start(['sweep', ...ON]))
    const reason = expect.stringMatching(/^machines past their deadline .*; what the run has saved is kept until /)
    expect([code, facts]).toEqual([1, [expect.objectContaining({ reason, removed: false, keptUntil: expect.any(String) })]])
    expect([all.wanted(), slots()[0]?.state]).toEqual([1, 'interrupted'])
  })

  test('two at once do it together', async () => {
    const both = await all.passing(Promise.all([swept(), all.start(['sweep', '--yes', ...ON], { home: 'elsewhere' })]))
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect([all.wanted(), slots()[0]?.state, kept().length]).toEqual([0, 'timed-out', 2])
  })

  test('destroy removes all of it afterwards', async () => {
    await swept()
    expect((await called('destroy', '--discard')).code).toBe(0)
    expect(all.remains()).toEqual([])
  })

  test('machines go, and nothing else, while the storage does not answer', async () => {
    const through: Death['through'] = async (name, act) => {
      if (/^(read|list|write)/.test(name)) throw new StoreError('unavailable', 'no answer')
      return act()
    }
    const { code, facts } = await swept({ death: { through, died: new Promise(() => undefined) } })
    expect(code).not.toBe(0)
    expect(facts).toMatchObject([{ name: 'fit', removed: false, keptUntil: null }])
    expect([all.wanted(), kept().length]).toEqual([0, 2])
  })

  test('it removes everything once its retention is over, if nobody swept before', async () => {
    await at(24 + 7 * 24 + 1)
    expect((await swept()).facts).toMatchObject([{ name: 'fit', removed: true, keptUntil: null }])
    expect(all.remains()).toEqual([])
  })

  test('people see that only machines are removed', async () => {
    const { code, lines } = await all.passing(all.start(['sweep', '--yes', '--cloud', 'awkward']))
    expect([code, lines.join('\n')]).toEqual([0, expect.stringMatching(/REMOVED +ID\nfit .* machines +tpi-fit-/)])
  })
})

test('a machine that hangs at the deadline goes, and what it saved stays', async () => {
  all.work = { takes: HOUR, hangs: true }
  await started()
  await all.until(() => slots()[0]?.epoch === 1)
  await noted((slot) => ({ ...slot, state: 'running', head: head() }))
  await at(25)
  expect(machines()).toBe(1)
  const { code, facts } = await swept()
  expect([code, facts]).toEqual([0, [expect.objectContaining({ removed: false, keptUntil: expect.any(String) })]])
  expect([all.wanted(), machines()]).toEqual([0, 0])
  expect(slots()).toMatchObject([{ state: 'timed-out', attempts: [{ cause: 'timed-out' }] }])
})

test('results that nobody collected stay although their machine could not leave its group', async () => {
  all.work = { takes: HOUR, hangs: true }
  await started()
  await all.until(() => slots()[0]?.epoch === 1)
  await at(2)
  await saved({ state: 'succeeded', cause: 'exit', exitCode: 0, reason: 'exit code 0' })
  await at(25)
  const { code, facts } = await swept()
  // Counted from the end of the program.
  const [{ keptUntil }] = facts as [{ keptUntil: string }]
  expect([code, Math.round((Date.parse(keptUntil) - began) / HOUR)]).toEqual([0, 2 + 7 * 24])
  expect([all.wanted(), machines(), slots()[0]?.state]).toEqual([0, 0, 'succeeded'])
  expect((await called('status')).facts).toMatchObject({ outcome: 'success', collected: false })
})

test('a machine that still gives signs of life, by a clock that is behind, saves before it goes', async () => {
  all.work = { takes: 100 * HOUR, results: join(all.root, 'made') }
  await started()
  await all.until(() => slots()[0]?.epoch === 1)
  await at(25)
  const { code, facts } = await swept()
  expect([code, facts]).toEqual([0, [expect.objectContaining({ removed: false, keptUntil: expect.any(String) })]])
  expect([all.wanted(), machines()]).toEqual([0, 0])
  expect(slots()).toMatchObject([{ state: 'timed-out', head: { at: 'slots/0/snap/' }, epoch: 1 }])
  await called('collect')
  expect(readFileSync(join(all.root, 'work', 'result'), 'utf8')).toBe('done\n')
})

test('a run that nobody ever worked on is removed at once, as is one whose retention is over', async () => {
  all.room(EAST, 0)
  await started()
  await at(25)
  expect((await swept()).facts).toMatchObject([{ name: 'fit', removed: true, keptUntil: null }])
  expect(all.remains()).toEqual([])
})

test('a retention that was over before the deadline keeps nothing', async () => {
  all.work = { takes: HOUR, hangs: true }
  await started('--retention', '1h')
  await all.until(() => slots()[0]?.epoch === 1)
  await saved({ state: 'succeeded', cause: 'exit', exitCode: 0, reason: 'exit code 0' })
  await at(24.2)
  expect((await swept()).facts).toMatchObject([{ name: 'fit', removed: true, keptUntil: null }])
  expect(all.remains()).toEqual([])
})

test('the records and logs of runners stay, too, and it is said which registrations may be left', async () => {
  all.work = { takes: HOUR, hangs: true }
  await started()
  await all.until(() => slots()[0]?.epoch === 1)
  for (const [key, { bytes, version }] of all.store.objects)
    if (key.endsWith('/spec.json')) {
      const spec = { ...JSON.parse(Buffer.from(bytes).toString()), mode: 'runner', runner: { ...RUNNER, relaunch: RELAUNCH } }
      await all.store.write(key, Buffer.from(JSON.stringify(spec)), { version })
    }
  await at(25)
  const { code, facts, lines } = await swept()
  expect([code, facts]).toEqual([0, [expect.objectContaining({ removed: false, keptUntil: expect.any(String) })]])
  expect(lines.join('\n')).toMatch(/fit: its machines are removed; records and logs stay until 20/)
  expect(lines.join('\n')).toContain('its registrations at github were not removed, because no token was given')
  expect([all.wanted(), machines(), slots()[0]?.state]).toEqual([0, 0, 'timed-out'])
})

test('registrations of a run that another version of tpi has started are not without an owner', async () => {
  const list = async (lost?: (where: string, error: unknown) => void) => {
    lost?.('tpi-newer-0123456789', new LeftOutError('it was written by a newer version of tpi'))
    return []
  }
  const clouds = (cloud: unknown) => [{ id: 'x', cloud: cloud as Cloud }]
  expect(await livingRunners(clouds({ list }))).toEqual(['tpi-newer-0123456789-'])
  const failing = async (lost?: (where: string, error: unknown) => void) => {
    lost?.('east', new RemoteError('east: no answer'))
    return []
  }
  await expect(livingRunners(clouds({ list: failing }))).rejects.toThrow('east: no answer')
})
