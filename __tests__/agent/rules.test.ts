import { tmpdir } from 'node:os'
import { describe, expect, test } from '@jest/globals'
import { baseEnvironment, runnerEnvironment } from '../../src/agent/attempt/environment.ts'
import { parseOutputs } from '../../src/agent/attempt/output-values.ts'
import { generations } from '../../src/agent/attempt/restore.ts'
import { judge } from '../../src/agent/attempt/verdict.ts'
import type { SlotContext } from '../../src/agent/machine-context.ts'
import { cgroupFiles, describeMemory, ranOutOfMemory } from '../../src/agent/process/memory-and-disk.ts'
import { deadlinesOf, lastCallAt } from '../../src/agent/slot/deadline.ts'
import { Ending, type Interruption, SHUT_DOWN } from '../../src/agent/slot/ending.ts'
import { Notices, reclaimOf } from '../../src/agent/slot/notices.ts'
import { takeOver } from '../../src/agent/slot/takeover-rules.ts'
import { parseGpus } from '../../src/agent/telemetry/metrics.ts'
import { bootNow } from '../../src/lib/clock.ts'
import type { MachineConfig } from '../../src/wire/machine.ts'
import type { MachineSide, Notice } from '../../src/wire/machine-side.ts'
import { mayRetry } from '../../src/wire/retry-rule.ts'
import { type Attempt, newSlot, type SlotRecord, type SnapshotRef } from '../../src/wire/slot.ts'

const AT = '2026-01-01T00:00:00.000Z'
const TAKER = { machine: 'm9', address: '10.0.0.9', at: AT, beat: 15_000, silence: 'machine m1 went silent' }
const RULES = { retry: { maxAttempts: 5 }, pastDeadline: false, deadline: AT }

function slotAfter(...attempts: Omit<Attempt, 'epoch' | 'holder' | 'start'>[]): SlotRecord {
  const list = attempts.map((attempt, at) => ({ epoch: at + 1, holder: 'm1', start: AT, ...attempt }))
  return { ...newSlot(0, 'n', AT), epoch: list.length, holder: 'm1', state: 'running', phase: 'script', released: true, attempts: list }
}
const LOST = { end: AT, cause: 'lost', reason: 'gone' } as const
const ANNOUNCED = { end: AT, cause: 'interrupted', announced: true } as const

describe('taking a slot over', () => {
  test('begins the next attempt and ends the one that was cut off', () => {
    const next = takeOver(slotAfter({}), { ...TAKER, logEnd: 7 }, RULES)
    expect(next).toMatchObject({ state: 'booting', phase: 'restoring', epoch: 2, holder: 'm9', address: '10.0.0.9' })
    expect(next.released).toBeUndefined()
    expect(next.attempts).toEqual([
      { epoch: 1, holder: 'm1', start: AT, end: AT, cause: 'lost', reason: 'machine m1 went silent', logEnd: 7 },
      { epoch: 2, holder: 'm9', start: AT },
    ])
  })

  test('an attempt that was cut off ended when its next heartbeat did not come, however late that is noticed', () => {
    const hours = { ...TAKER, at: '2026-01-01T05:00:00.000Z' }
    expect(takeOver(slotAfter({}), hours, RULES).attempts[0]?.end).toBe('2026-01-01T00:00:15.000Z')
    expect(takeOver(slotAfter(LOST), hours, RULES).attempts[0]?.end).toBe(AT)
  })

  test('closes a slot with a stop request, and one past its deadline', () => {
    const stop = { at: AT, by: 'cancel' }
    expect(takeOver(slotAfter(), TAKER, { ...RULES, stop })).toMatchObject({
      state: 'stopped',
      cause: 'stopped',
      reason: 'stopped (cancel)',
      epoch: 1,
    })
    expect(takeOver(slotAfter(), TAKER, { ...RULES, stop: { ...stop, by: 'fail-fast' } })).toMatchObject({
      state: 'stopped',
      cause: 'sibling',
    })
    const late = takeOver(slotAfter(LOST), TAKER, { ...RULES, pastDeadline: true })
    expect(late).toMatchObject({ state: 'timed-out', cause: 'timed-out', epoch: 2 })
    expect(late.holder).toBeUndefined()
    // Other members of a gang keep the list of addresses that they have seen all along.
    expect(takeOver({ ...slotAfter(LOST), address: '10.0.0.1' }, TAKER, { ...RULES, stop }).address).toBe('10.0.0.1')
    expect(late.address).toBeUndefined()
  })

  test('gives up after max-attempts ends without notice; the one just cut off counts', () => {
    expect(takeOver(slotAfter(LOST, LOST, LOST, LOST), TAKER, RULES).state).toBe('booting')
    expect(takeOver(slotAfter(LOST, LOST, LOST, LOST, {}), TAKER, RULES)).toMatchObject({
      state: 'failed',
      cause: 'attempts',
      reason: '5 attempts ended without notice, the last: machine m1 went silent',
    })
  })

  test('a script that ends in `shutdown` does not run for ever: ends without notice count, and the reason names the likely cause', () => {
    const { kind: cause, reason } = SHUT_DOWN
    const shutDown = { end: AT, cause, reason, saved: true } as const
    expect(takeOver(slotAfter(shutDown, shutDown, shutDown, shutDown), TAKER, RULES).state).toBe('booting')
    expect(takeOver(slotAfter(shutDown, shutDown, shutDown, shutDown, shutDown), TAKER, RULES)).toMatchObject({
      cause: 'attempts',
      reason: expect.stringContaining('shutdown or reboot'),
    })
  })

  test('a served job, or enough time at the forge, restarts that count', () => {
    const lost = Array.from({ length: 9 }, () => LOST)
    const job = { start: AT, end: AT, facts: {} }
    const served = (...epochs: number[]): SlotRecord => ({ ...slotAfter(...lost), jobs: epochs.map((epoch) => ({ ...job, epoch })) })
    expect(takeOver(served(1, 5), TAKER, RULES).state).toBe('booting')
    expect(takeOver(served(1, 4), TAKER, RULES)).toMatchObject({ cause: 'attempts', reason: expect.stringMatching(/^5 attempts/) })
    const cut = { ...served(), jobs: [{ ...job, epoch: 5, interrupted: true }] }
    expect(takeOver(cut, TAKER, RULES).cause).toBe('attempts')

    const rules = { ...RULES, retry: { maxAttempts: 5, lasted: 600 } }
    const lived = (minutes: number, saved = true) => {
      const long = { ...LOST, saved, end: new Date(Date.parse(AT) + minutes * 60_000).toISOString() }
      return takeOver(slotAfter(LOST, LOST, LOST, LOST, long, LOST, LOST), TAKER, rules).state
    }
    expect([lived(10), lived(9), lived(10, false)]).toEqual(['booting', 'failed', 'failed'])
    expect(takeOver(slotAfter(...lost), TAKER, rules).cause).toBe('attempts')
  })

  test('counts neither announced interruptions nor ends of the script itself', () => {
    const saved = { ...ANNOUNCED, saved: true }
    const own = { end: AT, cause: 'exit', exitCode: 75 } as const
    expect(takeOver(slotAfter(saved, saved, own, own, saved, LOST, LOST), TAKER, RULES).state).toBe('booting')
  })

  test('gives up after three interruptions in a row that saved nothing new', () => {
    const saved = { ...ANNOUNCED, saved: true }
    expect(takeOver(slotAfter(ANNOUNCED, ANNOUNCED, saved, ANNOUNCED, ANNOUNCED), TAKER, RULES).state).toBe('booting')
    expect(takeOver(slotAfter(saved, ANNOUNCED, ANNOUNCED, ANNOUNCED), TAKER, RULES)).toMatchObject({
      state: 'failed',
      cause: 'no-progress',
    })
  })
})

describe('the verdict on an attempt', () => {
  const spec = { retry: { maxAttempts: 5, retries: 0, retryOn: [] }, lifetime: { deadline: AT, grace: 1, reserve: 1, retention: 1 } }
  const own = (code: number, more = {}) => ({ kind: 'own', program: 'script', exit: { code }, diskFull: false, ...more }) as const

  test.each([
    [own(0), { state: 'succeeded', cause: 'exit', exitCode: 0 }],
    [own(3), { state: 'failed', cause: 'exit', exitCode: 3 }],
    [
      own(137, { outOfMemory: 'out of memory (limit 1 GB)' }),
      { state: 'failed', cause: 'out-of-memory', reason: 'out of memory (limit 1 GB)', exitCode: 137 },
    ],
    [own(1, { diskFull: true }), { state: 'failed', cause: 'disk-full', reason: 'disk full (exit code 1)', exitCode: 1 }],
    [{ ...own(2), program: 'setup' } as const, { state: 'failed', cause: 'setup', exitCode: 2 }],
    [
      { kind: 'imposed', cause: { kind: 'interrupted', reason: 'r' }, exit: { code: 0 } } as const,
      { state: 'interrupted', announced: true },
    ],
    [
      { kind: 'imposed', cause: SHUT_DOWN, exit: { code: 0 } } as const,
      { state: 'interrupted', cause: 'interrupted', reason: expect.stringContaining('shutdown or reboot') },
    ],
    [
      { kind: 'imposed', cause: { kind: 'interrupted', reason: 'disk full: r', diskFull: true } } as const,
      { state: 'failed', cause: 'disk-full', reason: 'disk full: r' },
    ],
    [{ kind: 'imposed', cause: { kind: 'timed-out' }, exit: { code: 0 } } as const, { state: 'timed-out' }],
    [{ kind: 'imposed', cause: { kind: 'stopped', by: 'x' } } as const, { state: 'stopped', cause: 'stopped' }],
    [{ kind: 'imposed', cause: { kind: 'guard-died' } } as const, { state: 'interrupted', cause: 'lost', reason: 'guard died' }],
    [{ kind: 'broken', reason: 'r', diskFull: false } as const, { state: 'interrupted', cause: 'lost', reason: 'r' }],
    [{ kind: 'broken', reason: 'r', diskFull: true } as const, { state: 'failed', cause: 'disk-full' }],
  ])('%j is %j', (happened, verdict) => {
    expect(judge(happened, {}, spec)).toMatchObject(verdict)
  })

  test('a machine that was shut down without notice was not announced', () => {
    expect(judge({ kind: 'imposed', cause: SHUT_DOWN }, {}, spec).announced).toBeUndefined()
  })

  test('retries the requested exit codes, as often as requested', () => {
    const rule = { maxAttempts: 5, retries: 2, retryOn: ['75', 'oom'] }
    expect([mayRetry(rule, 0, 75, false), mayRetry(rule, 2, 75, false), mayRetry(rule, 0, 1, false), mayRetry(rule, 1, 137, true)]).toEqual(
      [true, false, false, true],
    )
    expect(mayRetry({ ...rule, retryOn: [] }, 0, 1, false)).toBe(true)
    expect(judge(own(75), { retried: 1 }, { ...spec, retry: rule })).toMatchObject({ state: 'again', cause: 'exit', exitCode: 75 })
  })
})

describe('the last call', () => {
  test.each([
    [300, 3],
    [5, 2.5],
    [1, 0.5],
  ])('leaves time to save, however little is kept for that: with %d s it comes %d s before the end', (reserve, seconds) => {
    const deadlines = deadlinesOf({ grace: 0, reserve }, new Date(Date.now() + 600_000).toISOString())
    expect(deadlines.hard - lastCallAt(deadlines, Number.POSITIVE_INFINITY)).toBeCloseTo(seconds * 1000, 3)
    expect(lastCallAt(deadlines, Number.POSITIVE_INFINITY)).toBeGreaterThan(deadlines.soft)
    expect(deadlines.soft - lastCallAt(deadlines, deadlines.soft)).toBe(500)
  })
})

describe('a signal to the agent', () => {
  const hearing = async (endAsked?: MachineSide['endAsked']): Promise<Interruption> => {
    const over = new AbortController()
    async function* notices(): AsyncGenerator<Notice> {}
    const side = { notices, ...(endAsked && { endAsked }) } as unknown as MachineSide
    const sources = { side, config: {} as MachineConfig, reclaimed: AbortSignal.abort(), say: () => undefined, over: over.signal }
    try {
      return await new Promise<Interruption>((resolve) => new Notices(sources).listen(resolve))
    } finally {
      over.abort()
    }
  }

  test('is a reclaim if the cloud has no other notice for it, or confirms one', async () => {
    expect(await hearing()).toEqual({ kind: 'interrupted', reason: 'machine reclaimed' })
    expect(await hearing(async () => ({ kind: 'reclaim', seconds: 30 }))).toMatchObject({ reason: expect.stringContaining('with 30 s') })
  })

  test('is none if the cloud has announced nothing, or does not answer', async () => {
    expect(await hearing(async () => undefined)).toEqual(SHUT_DOWN)
    expect(await hearing(async () => Promise.reject(new Error('no')))).toEqual(SHUT_DOWN)
  })
})

describe('a cause', () => {
  const times = { grace: 60, reserve: 30 }
  const left = (ending: Ending): number => Math.max(0, Math.round((ending.killDue - bootNow()) / 1000))

  test('is the one that comes first', () => {
    const ending = new Ending(times)
    ending.impose({ kind: 'stopped', by: 'x' })
    ending.impose({ kind: 'timed-out' })
    expect(ending.imposed).toEqual({ kind: 'stopped', by: 'x' })
    expect(ending.settle()).toBe(false)
    expect(left(ending)).toBe(60)
  })

  test('that comes after the end of the script counts only if the work goes on', () => {
    const ending = new Ending(times)
    expect(ending.settle()).toBe(true)
    ending.impose({ kind: 'stopped', by: 'x' })
    expect(ending.begun.aborted).toBe(false)
    ending.unsettle()
    expect(ending.imposed).toEqual({ kind: 'stopped', by: 'x' })
  })

  test.each([
    [120, 60],
    [70, 40],
    [30, 15],
    [0, 0],
  ])('of %d s notice leaves the script %d s', (seconds, grace) => {
    const ending = new Ending(times)
    ending.impose({ kind: 'interrupted', reason: 'r', due: bootNow() + seconds * 1000 })
    expect(left(ending)).toBe(grace)
  })

  test('that comes later only shortens the grace', () => {
    const ending = new Ending(times)
    ending.impose({ kind: 'timed-out' })
    ending.impose({ kind: 'stopped', by: 'cancel', grace: 5 })
    expect(left(ending)).toBe(5)
    ending.impose({ kind: 'stopped', by: 'cancel', grace: 50 })
    expect(left(ending)).toBe(5)
  })
})

describe('TPI_OUTPUT', () => {
  test('takes values of one line and of several, the last one of a name', () => {
    const text = 'a=1\r\nb=x=y<<z\n\nc<<END\nline 1\n\nline 3\nEND\nempty=\na=2\nd<<E\nE\n'
    expect(parseOutputs(text)).toEqual({ values: { a: '2', b: 'x=y<<z', c: 'line 1\n\nline 3', empty: '', d: '' }, faults: [] })
  })

  test('says what it does not understand', () => {
    expect(parseOutputs('nonsense\na=1\nb<<END\nnever closed')).toEqual({
      values: { a: '1' },
      faults: ['line 1: should be "name=value" or "name<<DELIMITER"', 'line 3: "b" has no closing delimiter "END"'],
    })
  })
})

describe('the machine', () => {
  test('gives the script its base environment, in a container that of the image, never tpi’s own', () => {
    const own = {
      PATH: '/x',
      HOME: '/h',
      USER: 'u',
      GITHUB_TOKEN: 't',
      CUDA_HOME: '/c',
      NODE_OPTIONS: 'o',
      AWS_SECRET_ACCESS_KEY: 's',
      TPI_MACHINE: 'm',
      https_proxy: 'p',
    }
    const fixed = { PATH: '/x', HOME: '/h', USER: 'u', LANG: 'C.UTF-8', PYTHONUNBUFFERED: '1', https_proxy: 'p' }
    expect(baseEnvironment(own, false)).toEqual(fixed)
    expect(baseEnvironment(own, true)).toEqual({ ...fixed, GITHUB_TOKEN: 't', CUDA_HOME: '/c' })
    expect(baseEnvironment({ ...own, CLUSTER: 'c' }, true, /^CLUSTER$/)).toEqual({ ...fixed, GITHUB_TOKEN: 't', CUDA_HOME: '/c' })
    expect(baseEnvironment({}, false)['PATH']).toContain('/usr/bin')
  })

  test('is the home of a user without one, or without a writable one', () => {
    const context = { spec: { env: {}, id: 'i', name: 'n' }, config: { home: '/machine', machine: 'm' }, folders: { tmp: '/t' }, index: 0 }
    const homeOf = (HOME: string): string | undefined => runnerEnvironment(context as unknown as SlotContext, { HOME })['HOME']
    expect([homeOf(tmpdir()), homeOf('/there/is/none')]).toEqual([tmpdir(), '/machine'])
  })

  test('says how long the machine is certain to exist, if less than the announced time is certain', () => {
    const left = (notice: Parameters<typeof reclaimOf>[0]): readonly number[] => {
      const ending = new Ending({ grace: 60, reserve: 60 })
      ending.impose(reclaimOf(notice))
      return [ending.goneDue, ending.sureUntil].map((due) => Math.round((due - bootNow()) / 1000))
    }
    expect(left({ kind: 'reclaim', seconds: 30, atMost: true, sure: 5 })).toEqual([30, 5])
    expect(left({ kind: 'reclaim', seconds: 3, sure: 5 })).toEqual([3, 3])
    expect(left({ kind: 'reclaim', seconds: 120 })).toEqual([120, 120])
    expect(left({ kind: 'reclaim' })).toEqual([Infinity, Infinity])
  })

  test('says how long it has, as far as that is known', () => {
    expect(reclaimOf({ kind: 'reclaim', seconds: 30 }).reason).toBe('machine reclaimed, with 30 s of notice')
    expect(reclaimOf({ kind: 'reclaim', seconds: 328, atMost: true }).reason).toBe('machine reclaimed, with at most 328 s of notice')
  })

  test('finds its memory accounting in both kinds of cgroup, by path or at the root', () => {
    const v2 = cgroupFiles('0::/system.slice/x\n', (path) => path === '/sys/fs/cgroup/system.slice/x/memory.events')
    expect(v2).toMatchObject({ events: '/sys/fs/cgroup/system.slice/x/memory.events', peak: '/sys/fs/cgroup/system.slice/x/memory.peak' })
    expect(cgroupFiles('0::/host/path\n', (path) => path === '/sys/fs/cgroup/memory.events')).toMatchObject({
      limit: '/sys/fs/cgroup/memory.max',
    })
    // A group made for the machine alone, which accounts for nothing.
    const above = cgroupFiles('0::/user.slice/x/tpi-m1\n', (path) => path === '/sys/fs/cgroup/user.slice/x/memory.events')
    expect(above).toMatchObject({ limit: '/sys/fs/cgroup/user.slice/x/memory.max' })
    const v1 = cgroupFiles('4:cpu,memory:/a:b\n1:cpu:/\n0::/\n', (path) => path.startsWith('/sys/fs/cgroup/memory/a:b/memory.oom'))
    expect(v1).toMatchObject({ peak: '/sys/fs/cgroup/memory/a:b/memory.max_usage_in_bytes' })
    expect(cgroupFiles('', () => true)).toBeUndefined()
  })

  test('reports "out of memory" only on the kernel’s own evidence', () => {
    const before = { group: 1, host: 5 }
    expect(ranOutOfMemory({ code: 1 }, before, { group: 2, host: 6 })).toBe(true)
    expect(ranOutOfMemory({ code: 0 }, before, { group: 2, host: 6 })).toBe(false)
    expect(ranOutOfMemory({ code: 137 }, before, { group: 1, host: 5 })).toBe(false)
    expect(ranOutOfMemory({ code: 137 }, { group: undefined, host: 5 }, { group: undefined, host: 6 })).toBe(true)
    expect(ranOutOfMemory({ code: 1 }, { group: undefined, host: 5 }, { group: undefined, host: 6 })).toBe(false)
    expect(describeMemory({ limit: 2e9, peak: 1.9e9 })).toBe('out of memory (limit 2 GB, peak 1.9 GB)')
    expect(describeMemory({ limit: undefined, peak: undefined })).toBe('out of memory')
  })

  test('reads the state of its graphics cards', () => {
    expect(parseGpus('98, 1024, 16384\n[N/A], 0, 16384\n')).toEqual([
      { busy: 0.98, memory: 2 ** 30, memoryTotal: 2 ** 34 },
      { busy: 0, memory: 0, memoryTotal: 2 ** 34 },
    ])
  })
})

describe('what a slot resumes from', () => {
  const ref = (digest: string, quiet = true): SnapshotRef => ({
    digest,
    at: 'slots/0/snap/',
    epoch: 1,
    savedAt: AT,
    quiet,
    files: 1,
    bytes: 1,
  })
  const order = (record: Partial<SlotRecord>): string[] =>
    generations({ ...newSlot(0, 'n', AT), ...record }, { base: 'base', createdAt: AT }).map(({ digest }) => digest)

  test('is the head, then older generations, the upload last', () => {
    expect(order({})).toEqual(['base'])
    expect(order({ head: ref('h'), previous: ref('p') })).toEqual(['h', 'p', 'base'])
    expect(order({ head: ref('h', false), lastQuiet: ref('q'), previous: ref('p') })).toEqual(['q', 'h', 'p', 'base'])
    expect(order({ head: ref('h', false), lastQuiet: ref('p'), previous: ref('p') })).toEqual(['p', 'h', 'base'])
  })
})
