/** Machines that never get as far as taking their slot, on each cloud: the command shows their console, and everything is removed. */
import { describe, expect, jest, test } from '@jest/globals'
import type { Clock } from '../../../src/core/cloud.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { hurriedBy, hurriedIn } from '../../setup/hurried-clock.ts'
import { memoryHost } from '../../setup/memory-host.ts'
import { until } from '../../setup/wait.ts'
import { sampledCloud } from '../../storm/random.ts'
import { accountOf } from './faults-kit.ts'
import { LABS, type VmLab } from './labs.ts'

jest.setTimeout(400_000)

/** Files of an image whose machines do this in their first minute, before tpi starts: the network waits for that step of cloud-init. */
const instead = (words: string, act: string): Readonly<Record<string, string>> => ({
  'etc/systemd/system/cloud-init-local.service.d/lab.conf': `[Service]
TimeoutStartSec=infinity
ExecStartPre=/bin/sh -c 'echo ${words} > /dev/console; ${act}'`,
})

/** A clock on which a test can skip long waits. */
function skippedClock(): Clock & { skip(milliseconds: number): void } {
  let ahead = 0
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    skip: (milliseconds) => void (ahead += milliseconds),
  }
}

describe.each(sampledCloud<VmLab>(LABS))('on $cloud', (vm) => {
  const account = accountOf(vm)

  test('a boot that never ends is reported after half a minute and given up after an hour, each time with the console', async () => {
    const a = account()
    if (!a) return
    const { host, lab } = a
    const before = await lab.inventory()
    host.files = instead('waiting for a disk that never comes', 'exec sleep infinity')
    const clock = skippedClock()
    const seen = memoryHost()
    const run = a.task('hangs', 'true', [], { host: seen, given: hurriedBy(clock) })
    const lines = (): string => seen.lines.join('\n')
    await until('it waits', async () => (await host.console(host.running()[0] ?? '')).includes('never comes'), 100_000)
    await until('the run follows', () => /starts/.test(lines()), 60_000)
    clock.skip(31_000)
    const said = /without a sign of life: its console ends: [^]*waiting for a disk that never comes/
    await until('it is reported', () => said.test(lines()), 60_000)
    expect(lines()).toMatch(/has been running for 30 s without a sign of life/)
    clock.skip(3_600_000)
    const ran = await run
    expect([ran.code, ran.facts.outcome, ran.facts.slots[0].attempts]).toEqual([76, 'remote-error', []])
    const reason: string = ran.facts.slots[0].reason
    expect(reason).toMatch(/^machine does not start: it has been running for an hour without a sign of life: its console ends: /)
    expect(reason).toMatch(said)
    await a.givenBack(before)
  })

  test('machines that go off before they have begun, three in a row, are enough', async () => {
    const a = account()
    if (!a) return
    const { host, lab, w } = a
    const before = await lab.inventory()
    host.files = instead('there is no disk', 'systemctl --no-block poweroff; exec sleep infinity')
    const words = `task --cloud ${vm.cloud} --machine ${vm.types} --spot --name dark --workdir p --json --script true`
    const ran = await hurriedIn(w)(words, { env: lab.env })
    expect([ran.code, ran.facts.outcome, ran.facts.slots[0].attempts]).toEqual([76, 'remote-error', []])
    expect(ran.facts.slots[0].reason).toMatch(/^machine does not start \(3 in a row; [^)]+\)/)
    await a.givenBack(before)
  })
})
