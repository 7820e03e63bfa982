/**
 * The claims of docs/recovery.md about machines, tested on machines that boot like each cloud's: faults of machines, and of what they
 * depend on. Machines that never take their slot are in `faults-of-boots`, announced ends in the tests of each cloud. Each part of CI
 * runs this on one cloud, which depends on the commit.
 */
import { describe, expect, jest, test } from '@jest/globals'
import { until } from '../../setup/wait.ts'
import { sampledCloud } from '../../storm/random.ts'
import { accountOf, STEADY, steadily } from './faults-kit.ts'
import { littleMemory } from './host/little-memory.ts'
import type { Fault } from './host/machine-host.ts'
import { clockAhead } from './host/wrong-clock.ts'
import { LABS, type VmLab } from './labs.ts'

jest.setTimeout(400_000)

/**
 * Seconds by which the first machine's clock is ahead, by cloud: AWS refuses signatures that are five minutes off, and Azure's notices are
 * shorter than that.
 */
const OFF: Readonly<Record<string, number>> = { aws: 600, gcp: 600, az: -600 }

const LEASE = { TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '20s' }

describe.each(sampledCloud<VmLab>(LABS))('on $cloud', (vm) => {
  const account = accountOf(vm)

  test('a machine gets over a network and metadata that are away for a while and heeds its notice by a clock that is off; one that dies without a word is replaced; the result is the same', async () => {
    const a = account()
    if (!a) return
    const { host, lab, w } = a
    const before = await lab.inventory()
    host.files = clockAhead(OFF[vm.cloud] ?? 0)
    const run = a.task('struck', steadily(3), [], { env: LEASE })
    await a.printed('struck', /^at 3$/, run)
    host.files = {}
    const first = a.machine()
    for (const fault of ['metadata-silent', 'cut'] as const) await host.fault(first.id, fault)
    await new Promise((resolve) => setTimeout(resolve, 4000))
    for (const fault of ['join', 'metadata-back'] as const) await host.fault(first.id, fault)
    const told = Date.now()
    lab.world.reclaim(first, vm.notice * 1000)
    await a.printed('struck', /^from \d+$/, run, 2)
    // It left by the call for leaving, although its clock was wrong.
    expect(lab.world.machine(first.id)?.cause).toBe('requested')
    const second = a.machine()
    await until('something is saved', async () => (await w.tpi('status struck --json', { env: lab.env })).facts.slots[0].savedAt !== null)
    lab.world.lose(second, 'died')
    const ran = await run
    const [{ attempts }] = ran.facts.slots
    expect([ran.code, attempts]).toMatchObject([
      0,
      [{ cause: 'interrupted', announced: true }, { cause: 'lost', reason: expect.stringContaining('died') }, { cause: 'exit' }],
    ])
    // Times of an attempt are by the machine's clock.
    expect(Math.abs((Date.parse(attempts[0].end) - told) / 1000 - (OFF[vm.cloud] ?? 0))).toBeLessThan(60)
    const left = Number(/with (?:at most )?(\d+) s of notice/.exec(attempts[0].reason)?.[1])
    expect([left <= vm.notice, left > vm.notice - 60]).toEqual([true, true])
    const from = [...ran.host.scriptText().matchAll(/^from (\d+)$/gm)].map(([, n]) => Number(n))
    expect([from.length, from, from[1]! >= 3]).toEqual([3, from.toSorted((x, y) => x - y), true])
    expect(await w.read('p/r')).toBe(STEADY)
    await a.givenBack(before)
  })

  const apart: readonly (readonly [Fault, Fault])[] = [['cut', 'join'], ...(vm.cloud === 'gcp' ? [['freeze', 'thaw'] as const] : [])]
  test.each(apart)(
    'one whose fault is %s, and that its cloud gives up while it lives, is replaced; back by %s it does no harm',
    async (away, back) => {
      const a = account()
      if (!a) return
      const { host, lab, w } = a
      const before = await lab.inventory()
      const script = `echo from; n=0; until [ -e /tmp/end ]; do n=$((n+1)); echo "attempt $TPI_ATTEMPT" > r; echo $TPI_ATTEMPT at $n; sleep 0.3; done`
      const run = a.task(away, script, ['--grace', '1s'], { env: { TPI_STORE_GRACE: '5m' } })
      await a.printed(away, /^1 at 5$/, run)
      const first = a.machine()
      await host.fault(first.id, away)
      // The group replaces a machine that does not answer, and nobody has made sure that this one is off.
      lab.world.detach(first, false)
      await a.printed(away, /^2 at 5$/, run)
      expect(host.running()).toContain(first.id)
      await host.fault(first.id, back)
      await until('the first one has seen that it is no longer wanted', () => !host.running().includes(first.id), 100_000)
      const [second] = host.running()
      await host.machine(second!).run('touch', '/tmp/end')
      const ran = await run
      expect([ran.code, ran.facts.slots]).toMatchObject([0, [{ attempt: 2, attempts: [{ cause: 'lost' }, { cause: 'exit' }] }]])
      expect(await w.read('p/r')).toBe('attempt 2\n')
      // The output has nothing that the machine printed after its slot was taken over.
      expect(ran.host.scriptText()).toMatch(/^from\n(1 at \d+\n)+from\n(2 at \d+\n)+$/)
      await a.givenBack(before)
    },
  )

  if (vm.cloud !== 'aws') return
  test('a disk that is full ends the script with that reason, and what could be saved is delivered', async () => {
    const a = account()
    if (!a) return
    const { host, lab, w } = a
    const before = await lab.inventory()
    const script = 'echo kept > r; echo from 0; while :; do head -c 100000 /dev/zero >> more || exit 9; sleep 0.3; done'
    const run = a.task('full', script)
    await a.printed('full', /^from 0$/, run)
    await until('something is saved', async () => (await w.tpi('status full --json', { env: lab.env })).facts.slots[0].savedAt !== null)
    await host.fault(a.machine().id, 'disk-full')
    const ran = await run
    expect([ran.code, ran.facts]).toMatchObject([
      9,
      { outcome: 'script-failed', slots: [{ attempts: [{}], reason: expect.stringMatching(/^disk full \(exit code 9\)/) }] },
    ])
    expect(await w.read('p/r')).toBe('kept\n')
    await a.givenBack(before, 'full')
  })

  test('a script that the kernel kills for want of memory ends with that reason, its agent lives, and what there was is delivered', async () => {
    const a = account()
    if (!a) return
    const { host, w } = a
    const before = await a.lab.inventory()
    // Uses no more memory than this host can spare, in case the limit does not work.
    const script = 'echo kept > r; echo from 0; until [ -e /tmp/limited ]; do sleep 0.1; done; head -c 600M /dev/zero | tail -n 1 | wc -c'
    const run = a.task('hungry', script)
    await a.printed('hungry', /^from 0$/, run)
    const machine = host.machine(a.machine().id)
    const giveBack = await littleMemory(machine, 200e6)
    await machine.run('touch', '/tmp/limited')
    const ran = await run
    await giveBack()
    const slot = { attempts: [{ cause: 'out-of-memory' }], reason: expect.stringMatching(/^out of memory/) }
    expect([ran.code, ran.facts]).toMatchObject([137, { outcome: 'script-failed', slots: [slot] }])
    expect(ran.facts.slots[0].attempts).toHaveLength(1)
    expect(await w.read('p/r')).toBe('kept\n')
    await a.givenBack(before, 'hungry')
  })
})
