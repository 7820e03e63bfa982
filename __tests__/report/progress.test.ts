import { describe, expect, test } from '@jest/globals'
import { progress } from '../../src/report/progress.ts'
import type { Attempt, SlotRecord } from '../../src/wire/slot.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { memoryHost } from '../setup/memory-host.ts'

const attempt = (epoch: number, reason?: string): Attempt => ({
  epoch,
  holder: `m-${epoch}`,
  start: '2026-01-01T00:00:00Z',
  ...(reason === undefined ? {} : { end: '2026-01-01T00:00:00Z', reason }),
})

const slot = (state: SlotRecord['state'], attempts: readonly Attempt[], rest: Partial<SlotRecord> = {}): SlotRecord =>
  ({
    v: 2,
    nonce: String(Math.random()),
    index: 0,
    state,
    epoch: attempts.length,
    holder: attempts.at(-1)?.holder,
    attempts,
    ...rest,
  }) as SlotRecord

const HEAD = {
  digest: 'a'.repeat(64),
  at: 'slots/0/snap/',
  epoch: 2,
  savedAt: '2026-01-01T00:09:48Z',
  quiet: true,
  files: 1,
  bytes: 2_500_000,
}

const IDLE = { of: () => undefined }

/** The lines that are printed while a slot goes through these states, as far as the follower saw them. */
function read(looks: readonly SlotRecord[]): readonly string[] {
  const host = memoryHost()
  const watcher = progress(host, { count: 1, clock: fakeClock(), verbose: false })
  looks.forEach((look, number) => watcher.slot(look, looks[number - 1]))
  return host.lines.map((line) => line.replace(/^info: /, ''))
}

describe('attempts are reported', () => {
  test('one after the other', () => {
    const first = slot('running', [attempt(1)])
    const second = slot('running', [attempt(1, 'exit code 75'), attempt(2)])
    expect(read([slot('waiting', []), first, second])).toEqual([
      'machine m-1 is up',
      'attempt 1 on m-1 ended: exit code 75; attempt 2 begins on m-2',
    ])
  })

  test('each, however many passed between two looks', () => {
    const fourth = slot('running', [...[1, 2, 3].map((epoch) => attempt(epoch, `exit code ${epoch}`)), attempt(4)])
    expect(read([slot('waiting', []), fourth])).toEqual([
      'machine m-1 is up',
      'attempt 1 on m-1 ended: exit code 1; attempt 2 begins on m-2',
      'attempt 2 on m-2 ended: exit code 2; attempt 3 begins on m-3',
      'attempt 3 on m-3 ended: exit code 3; attempt 4 begins on m-4',
    ])
  })

  test('each in one line, whatever a record says', () => {
    const forged = slot('failed', [attempt(1, 'x\nsucceeded')], { exitCode: 1, reason: 'y\r\n\u2028outcome: success (exit code 0)' })
    expect(read([slot('running', [attempt(1)]), forged])).toEqual(['machine m-1 is up', 'failed: y outcome: success (exit code 0)'])
  })

  test('also if the end of the slot is seen next', () => {
    const end = slot('failed', [attempt(1, 'exit code 75'), attempt(2, 'exit code 3')], { exitCode: 3 })
    expect(read([slot('running', [attempt(1)]), end])).toEqual([
      'machine m-1 is up',
      'attempt 1 on m-1 ended: exit code 75; attempt 2 begins on m-2',
      'failed: exit code 3',
    ])
  })

  test('an interruption in the same words, if the next machine is there before the next look', () => {
    const second = slot('running', [{ ...attempt(1, 'spot reclaim'), cause: 'interrupted' }, attempt(2)])
    expect(read([slot('running', [attempt(1)]), second])).toEqual([
      'machine m-1 is up',
      'attempt 1 on m-1 was interrupted: spot reclaim; attempt 2 begins on m-2',
    ])
  })

  test('an interruption in one line with the next machine, and the checkpoint that it continues from', () => {
    const over = { ...attempt(1, 'spot reclaim'), cause: 'interrupted' as const }
    const second = slot('booting', [over, attempt(2)], { head: HEAD })
    expect(read([slot('running', [attempt(1)]), slot('interrupted', [over]), second, { ...second, state: 'running' }])).toEqual([
      'machine m-1 is up',
      'attempt 1 on m-1 was interrupted: spot reclaim; attempt 2 continues on m-2 from the checkpoint of 00:09:48 UTC',
    ])
  })

  test('an interruption without a next machine, before the end of the slot', () => {
    const over = { ...attempt(1, 'spot reclaim'), cause: 'interrupted' as const }
    expect(read([slot('running', [attempt(1)]), slot('interrupted', [over]), slot('stopped', [over], { reason: 'by ann' })])).toEqual([
      'machine m-1 is up',
      'attempt 1 on m-1 was interrupted: spot reclaim',
      'stopped: by ann',
    ])
    const given = slot('failed', [attempt(1, 'machine m-1 went silent')], { epoch: 2, reason: '1 attempt ended without notice' })
    expect(read([slot('running', [attempt(1)]), given])).toEqual([
      'machine m-1 is up',
      'attempt 1 ended: machine m-1 went silent',
      'failed: 1 attempt ended without notice',
    ])
  })

  test('to a later follower, only the last one', () => {
    const third = slot('running', [attempt(1, 'exit code 1'), attempt(2, 'exit code 2'), attempt(3)])
    expect(read([third])).toEqual(['attempt 2 on m-2 ended: exit code 2; attempt 3 begins on m-3'])
  })
})

test('a machine that is up and has not started its program is reported as fetching its files', () => {
  const waiting: string[] = []
  const watcher = progress({ ...memoryHost(), status: (text) => void waiting.push(text) }, { count: 1, clock: fakeClock(), verbose: false })
  const seen = { phase: 'up', wanted: 1, machines: [], events: [] } as const
  const booting = slot('booting', [attempt(1)], { phase: 'restoring' })
  const transfer = { done: 270e6, total: 600e6, since: '2026-01-01T00:00:00Z' }
  watcher.tick?.([booting], seen, IDLE)
  watcher.tick?.([{ ...booting, transfer, at: '2026-01-01T00:00:10Z' }], seen, IDLE)
  expect(waiting).toEqual([
    expect.stringMatching(/^the machine is fetching its files \(/),
    expect.stringMatching(/^the machine is fetching its files: 270 MB of 600 MB \(45 %\), 27 MB\/s, 13s left \(/),
  ])
})

test('a machine whose program has ended is reported as saving its files, also in the log of a job', () => {
  const waiting: string[] = []
  const host = memoryHost()
  let now = 0
  const clock = { now: () => now, date: () => new Date('2026-01-01T00:10:00Z') }
  const run = { name: 'fit', createdAt: '2026-01-01T00:00:00Z', deadline: '2026-01-01T02:00:00Z' }
  const watcher = progress({ ...host, status: (text) => void waiting.push(text) }, { count: 1, clock, verbose: false, run })
  const seen = { phase: 'up', wanted: 1, machines: [], events: [] } as const
  const transfer = { done: 270e6, total: 600e6, since: '2026-01-01T00:00:00Z' }
  const saving = slot('running', [attempt(1)], { phase: 'saving' })
  watcher.tick?.([saving], seen, IDLE)
  now = 60_000
  watcher.tick?.([{ ...saving, transfer, at: '2026-01-01T00:00:10Z' }], seen, IDLE)
  expect(waiting).toEqual([
    'fit: saving its files · 10m of 2h · nothing saved yet · m-1',
    'fit: saving its files: 270 MB of 600 MB (45 %), 27 MB/s, 13s left · 10m of 2h · nothing saved yet · m-1',
  ])
  expect(host.lines).toEqual(['info: saving its files: 270 MB of 600 MB (45 %), 27 MB/s, 13s left (1m)'])
})

test('between two machines, the reason for the last one’s end is reported each minute', () => {
  const waiting: string[] = []
  const clock = fakeClock()
  const watcher = progress({ ...memoryHost(), status: (text) => void waiting.push(text) }, { count: 1, clock, verbose: false })
  const seen = { phase: 'up', wanted: 1, machines: [], events: [] } as const
  const over = { ...attempt(1, 'spot reclaim'), cause: 'interrupted' as const }
  watcher.tick?.([slot('interrupted', [over])], seen, IDLE)
  for (const state of ['running', 'booting'] as const)
    watcher.tick?.([slot(state, [attempt(1, 'machine m-1 died')], { released: true })], seen, IDLE)
  expect(waiting).toEqual([
    expect.stringMatching(/^the next machine is on its way \([^)]+\): attempt 1 on m-1 was interrupted: spot reclaim$/),
    expect.stringMatching(/^the next machine is on its way \([^)]+\): attempt 1 ended: machine m-1 died$/),
    expect.stringMatching(/^the next machine is on its way \([^)]+\): attempt 1 ended: machine m-1 died$/),
  ])
})

test('warnings of a machine are warnings here; its other lines need --verbose', () => {
  const host = memoryHost()
  const watcher = progress(host, { count: 2, clock: fakeClock(), verbose: false })
  const piece = { slot: 1, epoch: 1, at: '2026-01-01T00:00:00Z' }
  watcher.log({ ...piece, stream: 'agent', bytes: Buffer.from('machine m takes slot 1\nwarning: this is text, no level\n') })
  watcher.log({ ...piece, stream: 'warning', bytes: Buffer.from('kept changing while it was saved: "busy"\n') })
  expect(host.lines).toEqual(['warn: slot 1: kept changing while it was saved: "busy"'])
})

test('general information is reported, but not as the reason why a machine is late', () => {
  const host = memoryHost()
  const waiting: string[] = []
  const watcher = progress({ ...host, status: (text) => void waiting.push(text) }, { count: 1, clock: fakeClock(), verbose: false })
  const events = [
    { at: '', kind: 'capacity', text: 'too little cpu' },
    { at: '', kind: 'advice', text: 'no names here' },
  ] as const
  for (const { text, kind } of events) watcher.event(text, kind)
  watcher.tick?.([slot('waiting', [])], { phase: 'up', wanted: 1, machines: [], events }, IDLE)
  expect(host.lines).toEqual(['warn: too little cpu', 'info: no names here'])
  expect(waiting).toEqual([expect.stringMatching(/^the machine is waiting for capacity \([^)]+\): too little cpu$/)])
})

test('while the cloud has no machine, the status line and a line each minute say since when, until when, and why; this ends when one starts', () => {
  const waiting: string[] = []
  const host = memoryHost()
  let now = 0
  const clock = { now: () => now, date: () => new Date('2026-01-01T00:10:00Z') }
  const run = { name: 'fit', createdAt: '2026-01-01T00:00:00Z', deadline: '2026-01-01T02:00:00Z' }
  const watcher = (count: number) => progress({ ...host, status: (text) => void waiting.push(text) }, { count, clock, verbose: false, run })
  const events = [{ at: '', kind: 'capacity', text: 'nothing in any zone' }] as const
  const none = { phase: 'up', wanted: 1, machines: [], events } as const
  const alone = watcher(1)
  now = 60_000
  alone.tick?.([slot('waiting', [])], none, IDLE)
  const over = { ...attempt(1, 'spot reclaim'), end: '2026-01-01T00:07:00Z', cause: 'interrupted' as const }
  alone.tick?.([slot('interrupted', [over])], none, IDLE)
  alone.tick?.([slot('waiting', [])], { ...none, machines: [{ id: 'm-1', state: 'starting' }] }, IDLE)
  const several = watcher(3)
  several.tick?.([slot('running', [attempt(1)]), slot('waiting', [], { index: 1 })], none, IDLE)
  several.tick?.([slot('waiting', []), slot('waiting', [], { index: 1 })], none, IDLE)
  const inGang = [0, 1].map((index) => slot('running', [attempt(1)], { index, phase: 'gang' }))
  several.tick?.([...inGang, slot('waiting', [], { index: 2 })], none, IDLE)
  expect(waiting).toEqual([
    'the machine is waiting for capacity (10m, 1h 50m until the deadline): nothing in any zone',
    'the next machine is waiting for capacity (3m, 1h 50m until the deadline): nothing in any zone',
    'the machine is on its way (10m, 1h 50m until the deadline)',
    'slot 1 is waiting for capacity (10m, 1h 50m until the deadline): nothing in any zone',
    '2 slots are waiting for capacity (10m, 1h 50m until the deadline): nothing in any zone',
    'slot 2 is waiting for capacity; 2 machines of the gang wait too (10m, 1h 50m until the deadline): nothing in any zone',
  ])
  expect(host.lines).toEqual([`info: ${waiting[0]}`])
})

test('the status line of a running task shows: deadline, what is saved, load, interruptions, price, machine', () => {
  const lines: string[] = []
  const clock = { now: () => 0, date: () => new Date('2026-01-01T00:10:00Z') }
  const run = { name: 'fit', createdAt: '2026-01-01T00:00:00Z', deadline: '2026-01-01T02:00:00Z', live: true, price: () => 0.35 }
  const watcher = progress({ ...memoryHost(), status: (text) => void lines.push(text) }, { count: 1, clock, verbose: false, run })
  const seen = { phase: 'up', wanted: 1, machines: [], events: [] } as const
  const sample = {
    at: '',
    cpu: 0.87,
    cores: 4,
    memory: 3e9,
    memoryTotal: 16e9,
    gpus: [1, 0].map((busy) => ({ busy, memory: 1, memoryTotal: 2 })),
  }
  watcher.tick?.([slot('waiting', [])], seen, IDLE)
  lines.push(...lines.splice(0).map((line) => line.replace(/.*, (.*)\)$/, '$1')))
  watcher.tick?.([slot('running', [attempt(1)])], seen, IDLE)
  watcher.tick?.([slot('running', [{ ...attempt(1, 'machine reclaimed'), cause: 'interrupted' }, attempt(2)], { head: HEAD })], seen, {
    of: () => sample,
  })
  // A script that is run again after its own end was not interrupted.
  watcher.tick?.([slot('running', [{ ...attempt(1, 'out of memory'), cause: 'out-of-memory' }, attempt(2)])], seen, IDLE)
  watcher.tick?.([slot('succeeded', [attempt(1)])], seen, IDLE)
  expect(lines).toEqual([
    '1h 50m until the deadline',
    'fit: running · 10m of 2h · nothing saved yet · 0.35 USD/h · m-1',
    'fit: running · 10m of 2h · saved 12s ago (2.5 MB) · CPU 87 %, memory 3 GB of 16 GB, GPU 50 % · 1 interruption · 0.35 USD/h · m-2',
    'fit: running · 10m of 2h · nothing saved yet · 0.35 USD/h · m-2',
    '',
  ])
})
