/** Supervisor, agent and guard: any two may die; each alone ends the machine at the deadline; the next command cleans up after all three. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { shell } from '../setup/world.ts'
import { comesTrue, House } from './house.ts'
import { GUARDIANS, type Role, type Seen, signal } from './processes.ts'
import { buildProgram, type Program } from './program.ts'

let program: Program
beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => program.remove())

/** `steps`: a tenth of a second each. */
function taskOf(timeout: string, steps: number, ...more: string[]): string[] {
  const script = `n=$(cat n 2>/dev/null || echo 0); while [ $n -lt ${steps} ]; do n=$((n+1)); echo $n > m; mv m n; sleep 0.1; done; echo end > out`
  const words = `--name storm --timeout ${timeout} --grace 1s --checkpoint-interval 300ms --workdir project --output out`
  return ['task', ...more, ...shell(words, script)]
}

/** Long enough to be found at work on a busy host, where a look takes seconds. */
const SHORT = 60
/** Longer than any test that uses it. */
const LONG = 600
/** Seconds from the start of the command: the machine must come up within them, on a busy host too. */
const DEADLINE = 30

async function running(timeout: string, steps = SHORT, env: Readonly<Record<string, string>> = {}): Promise<House> {
  const house = await House.build(program, 'guardians', env)
  await house.write('project/in', 'x')
  expect(await house.tpi(...taskOf(timeout, steps, '--detach'))).toMatchObject({ code: 0 })
  expect(await comesTrue(() => house.processes().some(({ role }) => role === 'script'), 15_000)).toBe(true)
  return house
}

function send(house: House, name: NodeJS.Signals, ...roles: readonly Role[]): number[] {
  const victims = house.processes().filter(({ role }) => roles.includes(role))
  expect(new Set(victims.map(({ role }) => role))).toEqual(new Set(roles))
  for (const { pid } of victims) signal(pid, name)
  return victims.map(({ pid }) => pid)
}

async function leave(house: House): Promise<void> {
  house.clear()
  await house.leave(false)
}

describe('kill -9', () => {
  test.concurrent.each([
    ['supervisor', 'agent'],
    ['supervisor', 'guard'],
    ['agent', 'guard'],
  ] as const)('of %s and %s is survived', async (...pair) => {
    const house = await running('10m')
    send(house, 'SIGKILL', ...pair)
    expect(await house.tpi(...taskOf('10m', SHORT))).toMatchObject({ code: 0 })
    expect(house.processes()).toEqual([])
    expect(await house.remains()).toEqual([])
    await leave(house)
  })

  test.concurrent.each([['list'], ['status', 'storm'], ['plan', '--script', 'true'], ['options'], ['completion', 'bash']])(
    'of all three: the next command, `%s`, first kills what is left',
    async (...words) => {
      const house = await running('10m', LONG)
      // Frozen first: one that sees another's death would end the machine.
      send(house, 'SIGSTOP', ...GUARDIANS)
      send(house, 'SIGKILL', ...GUARDIANS)
      const left = house.processes().map(({ pid }) => pid)
      expect(left.length).toBeGreaterThan(0)
      expect(await house.tpi(...words)).toMatchObject({ code: 0 })
      expect(house.processes().filter(({ pid }) => left.includes(pid))).toEqual([])
      expect(await house.tpi('destroy', 'storm', '--discard')).toMatchObject({ code: 0 })
      expect(house.processes()).toEqual([])
      expect(await house.remains()).toEqual([])
      await leave(house)
    },
  )
})

describe('at the deadline', () => {
  test.concurrent.each(GUARDIANS)('the %s alone ends the machine', async (alone) => {
    // A frozen machine is not replaced: the next one would not be frozen.
    const house = await running(`${DEADLINE}s`, LONG, { TPI_LOCAL_SILENCE: '10m' })
    // The others are frozen: they exist, but do nothing.
    send(house, 'SIGSTOP', ...GUARDIANS.filter((role) => role !== alone))
    // Deadline, grace and reserve, and a margin for a busy host; a frozen supervisor does not count as a machine.
    const machine = (): Seen[] => house.processes().filter(({ role }) => role !== 'supervisor')
    await comesTrue(() => machine().length === 0, (DEADLINE + 1 + 4 + 15) * 1000)
    expect(machine()).toEqual([])
    await leave(house)
  })
})
